// One camera. It is asked for only while it is on the screen, since a simulated one is drawn for who watches.

import { useEffect, useRef, useState } from 'preact/hooks'

import { acquire, release } from '../../../api/feeds'
import type { Robot } from '../../../api/types'
import { reach } from '../../../live/gateway'
import { words } from '../../../live/read'
import { seconds } from '../../../live/time'
import { worldPaused } from '../pause'
import { drawnWith } from '../robotFeed'
import { fixed } from '../units'
import { came, choiceWords, choose, retried, standIn } from './choice'
import { FORM_NAMES } from './forms'
import { type Painter, painterFor } from './painter'
import { Rate } from './rate'
import { after, expected, insteadOf, isSilent, type Look, trouble } from './trouble'
import { useWatched } from './useWatched'

interface Props {
  robot: Robot
  part: string
  forms: string[]
}

export function Camera({ robot: { robot, link, origin }, part, forms }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const watched = useWatched(frame)
  const [choice, setChoice] = useState(() => choose(forms[0] ?? 'image'))
  const { form } = choice
  const [waiting, setWaiting] = useState<string | null>(null)
  const [cannot, setCannot] = useState<string | null>(null)
  const [size, setSize] = useState<string | null>(null)
  const [ever, setEver] = useState(false)
  const rate = useRef(new Rate())
  const last = useRef(0)
  drawnWith(seconds.value)

  useEffect(() => {
    if (!watched || !canvas.current) return
    last.current = performance.now()
    setWaiting(null)
    setCannot(null)
    setEver(false)
    const report = {
      drawn: (width: number, height: number) => {
        last.current = performance.now()
        rate.current.count(last.current)
        setSize(`${width} × ${height}`)
        setEver(true)
        setWaiting(null)
        setChoice(came)
      },
      problem: setWaiting,
      cannot: setCannot,
    }
    const painter: Painter = painterFor(form, canvas.current, report)
    const request = {
      select: part ? `${robot}/${form}/${part}` : `${robot}/${form}`,
      bytes: 'base64' as const,
      batch: '20ms',
    }
    const feed = acquire(request)
    const off = feed.listen((update) => update.data && painter.take(update.data))
    return () => {
      off()
      painter.close()
      release(request)
    }
  }, [watched, robot, part, form])

  const now = performance.now()
  const look: Look = {
    link: link.state,
    gatewayLost: reach.value === 'lost',
    paused: origin === 'simulated' && worldPaused.value,
    cannot,
    waiting,
    ever,
    silent_ms: now - last.current,
  }
  // Who could not send begins to be late when it can.
  if (!expected(look)) last.current = now
  const silent = watched && isSilent(look)
  const said = watched || !expected(look) ? trouble(look) : null
  const fallback = silent && !ever && form === choice.wanted ? insteadOf(forms, form) : null
  useEffect(() => {
    if (fallback !== null) setChoice((it) => standIn(it, fallback, performance.now(), cannot !== null))
  }, [fallback])
  const isDue = watched && expected(look) && retried(choice, now) !== choice
  useEffect(() => {
    if (isDue) setChoice((it) => retried(it, performance.now()))
  }, [isDue])

  const how = choiceWords(choice, now)
  const next = silent ? after(forms, form) : null
  const fps = rate.current.perSecond(now)
  const name = words(part || 'camera').toLowerCase()
  return (
    <>
      <div class="frame" ref={frame}>
        <canvas
          ref={canvas}
          width="640"
          height="480"
          role="img"
          aria-label={`What ${robot}'s ${name} sees${said ? `: ${said}` : ''}`}
        />
        {said && (
          <p>
            {said}
            {next && (
              <button class="button" type="button" onClick={() => setChoice(choose(next))}>
                Try {FORM_NAMES[next] ?? next}
              </button>
            )}
          </p>
        )}
      </div>
      <div class="under">
        <span class="muted">
          {size ?? 'no picture yet'} · {fixed(fps, fps < 10 ? 1 : 0)} pictures/s
        </span>
        {forms.length > 1 && (
          <select
            class="field"
            aria-label={`How ${name} delivers`}
            value={form}
            onChange={(event) => setChoice(choose(event.currentTarget.value))}
          >
            {forms.map((it) => (
              <option key={it} value={it}>
                {FORM_NAMES[it] ?? it}
              </option>
            ))}
          </select>
        )}
        {how && <span class="how muted">{how}</span>}
      </div>
    </>
  )
}
