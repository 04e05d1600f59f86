// The chosen robot: where it is, and what can be made to happen to it.

import type { ReadonlySignal } from '@preact/signals'
import { useComputed } from '@preact/signals'
import { X } from 'lucide-preact'

import type { Feed } from '../../api/feed'
import { poke } from '../../api/http'
import type { WorldNow } from '../../api/types'
import { figures, robots } from '../../live/gateway'
import { number } from '../../live/read'
import { Silhouette } from '../../parts/Silhouette'
import { Stimuli } from '../../parts/stimuli/Stimuli'
import { attempt } from '../../parts/toast'
import { follow, frame, selected } from './options'

interface Props {
  robot: string
  now: ReadonlySignal<WorldNow | null>
  poses: Feed
}

export function RobotCard({ robot, now, poses }: Props) {
  const found = robots.value.find((it) => it.robot === robot)
  const family = found?.family ?? ''
  const figure = figures.value[family]
  const close = () => {
    selected.value = null
    follow.value = false
  }
  return (
    <section class="card panel" aria-label={`Chosen: ${robot}`}>
      <header>
        <Silhouette family={family} size={26} />
        <h2>{robot}</h2>
        <span class="muted" title={figure?.title ?? family}>
          {figure?.title ?? family}
        </span>
        <button class="button quiet" type="button" onClick={close} aria-label="Choose no robot">
          <X size={16} />
        </button>
      </header>
      <div class="body">
        {frame.value === null ? (
          <Where robot={robot} now={now} />
        ) : (
          <WhereIn frame={frame.value} robot={robot} poses={poses} />
        )}
        <a class="button" href={`/robot/${robot}`}>
          Open {robot}
        </a>
        {found?.origin === 'simulated' && (
          <>
            <PutThere robot={robot} />
            <details>
              <summary>Make something happen</summary>
              <Stimuli robot={robot} figure={figure} />
            </details>
          </>
        )}
      </div>
    </section>
  )
}

function Where({ robot, now }: { robot: string; now: ReadonlySignal<WorldNow | null> }) {
  // Ten times a second is enough for numbers, and rounding keeps what did not change from being drawn.
  const line = useComputed(() => {
    const it = now.value?.robots.find((body) => body.robot === robot)
    return it ? placeText(it.x_m, it.y_m, it.yaw_rad) : 'Where it is is not known'
  })
  return <p>{line}</p>
}

/** Where it says that it is, in the frame that is drawn. */
function WhereIn({ frame, robot, poses }: { frame: string; robot: string; poses: Feed }) {
  poses.watch()
  const data = poses.values.get(`${robot}/pose`)?.update.data
  const [x, y, yaw] = ['x_m', 'y_m', 'yaw_rad'].map((name) => number(data, name) ?? null)
  if (x == null || y == null || yaw == null) return <p>Where it is in {frame} is not known</p>
  return (
    <p>
      {placeText(x, y, yaw)} in {frame}
    </p>
  )
}

const placeText = (x: number, y: number, yaw: number) =>
  `x ${x.toFixed(2)} m, y ${y.toFixed(2)} m, heading ${Math.round((yaw * 180) / Math.PI)}°`

/** The place in numbers, for use without a pointer. */
function PutThere({ robot }: { robot: string }) {
  const put = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const [x_m, y_m] = ['x', 'y'].map((name) => Number(form.get(name)))
    void attempt(poke(robot, { stimulus: 'place', x_m, y_m }), `${robot} is there`)
  }
  return (
    <form class="put" onSubmit={put}>
      <label>
        x <input class="field" name="x" type="number" step="any" required /> m
      </label>
      <label>
        y <input class="field" name="y" type="number" step="any" required /> m
      </label>
      <button class="button" type="submit">
        Put there
      </button>
    </form>
  )
}
