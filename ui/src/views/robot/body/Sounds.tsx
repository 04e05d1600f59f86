// Where sounds come from, as marks on the rim of the drawing.

import type { Update } from '../../../api/types'
import { field, number } from '../../../live/read'
import { arcPath, conePath } from './geometry'

const MIDDLE = { x_m: 0, y_m: 0 }
/** Less than this share of the loudest direction is not shown. */
const QUIET = 0.15

const numbers = (value: unknown) =>
  Array.isArray(value) ? value.filter((it): it is number => typeof it === 'number') : []

export function Sounds({ update, radius_m }: { update: Update; radius_m: number }) {
  const rim = radius_m * 0.93
  const speech = number(update.data, 'speech_bearing_rad')
  const noises = numbers(field(update.data, 'noise_bearings_rad'))
  const activity = numbers(field(update.data, 'activity_ratio'))
  const step = (2 * Math.PI) / Math.max(1, activity.length)
  return (
    <g class="sounds" aria-hidden="true">
      {activity.map((level, at) =>
        level > QUIET ? (
          <path
            key={at}
            class="activity"
            d={arcPath(MIDDLE, at * step, step * 1.05, rim)}
            style={{ opacity: Math.min(1, level) }}
          />
        ) : null,
      )}
      {noises.map((bearing, at) => (
        <path key={at} class="noise" d={arcPath(MIDDLE, bearing, 0.25, rim * 0.98)} />
      ))}
      {speech !== null && (
        <g>
          <path class="voicecone" d={conePath(MIDDLE, speech, 0.35, rim)} />
          <path class="voice" d={arcPath(MIDDLE, speech, 0.35, rim)} />
        </g>
      )}
    </g>
  )
}
