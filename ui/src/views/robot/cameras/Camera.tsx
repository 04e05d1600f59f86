// One camera. It is asked for only while it is on the screen, since a simulated one is drawn for who watches.

import { useEffect, useRef, useState } from 'preact/hooks'

import { acquire, release } from '../../../api/feeds'
import { words } from '../../../live/read'
import { seconds } from '../../../live/time'
import { drawnWith } from '../robotFeed'
import { fixed } from '../units'
import { FORM_NAMES } from './forms'
import { type Painter, painterFor } from './painter'
import { Rate } from './rate'
import { useWatched } from './useWatched'

interface Props {
  robot: string
  part: string
  forms: string[]
}

/** After so long without a picture the panel says so. */
const LATE_MS = 4_000

export function Camera({ robot, part, forms }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const watched = useWatched(frame)
  const [form, setForm] = useState(forms[0] ?? 'image')
  const [problem, setProblem] = useState<string | null>(null)
  const [size, setSize] = useState<string | null>(null)
  const rate = useRef(new Rate())
  const last = useRef(0)
  drawnWith(seconds.value)

  useEffect(() => {
    if (!watched || !canvas.current) return
    last.current = performance.now()
    setProblem(null)
    const told = {
      drawn: (width: number, height: number) => {
        last.current = performance.now()
        rate.current.count(last.current)
        setSize(`${width} × ${height}`)
        setProblem(null)
      },
      problem: setProblem,
    }
    const painter: Painter = painterFor(form, canvas.current, told)
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
  const fps = rate.current.perSecond(now)
  const late = watched && now - last.current > LATE_MS
  const said = problem ?? (late ? (size ? 'No new picture' : 'No picture yet') : null)
  return (
    <>
      <div class="frame" ref={frame}>
        <canvas
          ref={canvas}
          width="640"
          height="480"
          role="img"
          aria-label={`What ${robot}'s ${words(part || 'camera').toLowerCase()} sees${said ? `: ${said}` : ''}`}
        />
        {said && <p>{said}</p>}
      </div>
      <div class="under">
        <span class="muted">
          {size ?? 'no picture yet'} · {fixed(fps, fps < 10 ? 1 : 0)} pictures/s
        </span>
        {forms.length > 1 && (
          <select
            class="field"
            aria-label={`How ${words(part || 'camera').toLowerCase()} delivers`}
            value={form}
            onChange={(event) => setForm(event.currentTarget.value)}
          >
            {forms.map((it) => (
              <option key={it} value={it}>
                {FORM_NAMES[it] ?? it}
              </option>
            ))}
          </select>
        )}
      </div>
    </>
  )
}
