// One chart with its lines: what each is now or under the pointer, and taking it away.

import { X } from 'lucide-preact'
import { useState } from 'preact/hooks'

import { seconds } from '../../../live/time'
import { drawnWith } from '../robotFeed'
import { fixed, shown } from '../units'
import { clock, DASHES, type Hover, lineColour, Plot } from './Plot'
import type { Chart, Recorder } from './recorder'
import { idOf, nameOf, type Series } from './series'

interface Props {
  number: number
  chart: Chart
  recorder: Recorder
  window_s: number
  paused: boolean
}

/** A value older than this is not what is now. */
const NOW_MS = 5_000

export function ChartCard({ number, chart, recorder, window_s, paused }: Props) {
  const [hover, setHover] = useState<Hover | null>(null)
  drawnWith(seconds.value)
  return (
    <section class="panel chart" aria-label={`Chart ${number}`}>
      <ul>
        {chart.lines.map((line, at) => (
          <li key={idOf(line.spec)}>
            <Swatch at={at} />
            <span class="name">{nameOf(line.spec)}</span>
            <strong class={hover ? 'hover' : ''}>
              {value(line, hover ? (hover.values[at] ?? null) : latest(line))}
            </strong>
            <button
              class="button quiet"
              type="button"
              aria-label={`Remove ${nameOf(line.spec)}`}
              onClick={() => recorder.remove(chart.id, line)}
            >
              <X size={16} />
            </button>
          </li>
        ))}
      </ul>
      <p class="when muted">{hover ? `at ${clock(hover.at, true)}` : 'now'}</p>
      <Plot lines={chart.lines} window_s={window_s} paused={paused} onHover={setHover} />
    </section>
  )
}

/** The last value as it is drawn, if there is one now. */
function latest(line: Series): number | null {
  const { value: values } = line.history.since(Date.now() - NOW_MS)
  const last = values.at(-1)
  return typeof last === 'number' ? last * shown(line.spec.unit).factor : null
}

function value(line: Series, drawn: number | null): string {
  const as = shown(line.spec.unit)
  return drawn === null ? 'no data' : `${fixed(drawn, Math.max(as.digits, 1))} ${as.unit}`.trim()
}

function Swatch({ at }: { at: number }) {
  return (
    <svg width="22" height="8" aria-hidden="true">
      <path
        d="M0 4H22"
        stroke={`var(${lineColour(at)})`}
        stroke-width="3"
        stroke-dasharray={DASHES[at % DASHES.length]?.join(' ')}
      />
    </svg>
  )
}
