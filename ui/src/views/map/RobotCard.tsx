// The chosen robot: where it is, and what can be made to happen to it.

import type { ReadonlySignal } from '@preact/signals'
import { useComputed } from '@preact/signals'
import { X } from 'lucide-preact'

import { poke } from '../../api/http'
import type { WorldNow } from '../../api/types'
import { figures, robots } from '../../live/gateway'
import { Silhouette } from '../../parts/Silhouette'
import { Stimuli } from '../../parts/stimuli/Stimuli'
import { attempt } from '../../parts/toast'
import { follow, selected } from './options'

export function RobotCard({ robot, now }: { robot: string; now: ReadonlySignal<WorldNow | null> }) {
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
        <Where robot={robot} now={now} />
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
    if (!it) return 'Where it is is not known'
    const degrees = Math.round((it.yaw_rad * 180) / Math.PI)
    return `x ${it.x_m.toFixed(2)} m, y ${it.y_m.toFixed(2)} m, heading ${degrees}°`
  })
  return <p>{line}</p>
}

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
