// Range sensors as cones as long as what they measure; edge sensors as marks at the rim.

import { words } from '../../../live/read'
import { fixed } from '../units'
import { arcPath, conePath, onPage, rayEnd } from './geometry'
import type { Sensor } from './sensors'

const LABEL_ABOVE = 0.045
const WORDS_AT = 0.62

export function Ranges({ sensors, ...rest }: { sensors: Sensor[]; radius_m: number; letter: number }) {
  return (
    <g class="ranges" aria-hidden="true">
      {sensors.map((sensor) => (
        <RangeCone key={sensor.part.part} sensor={sensor} {...rest} />
      ))}
    </g>
  )
}

function RangeCone({ sensor, radius_m, letter }: { sensor: Sensor; radius_m: number; letter: number }) {
  const { part, width_rad, valid, distance_m, max_m } = sensor
  const reach = Math.min(max_m ?? radius_m, radius_m * 0.9)
  const length = valid && distance_m !== null ? Math.min(distance_m, radius_m * 1.3) : reach
  const label =
    valid && distance_m !== null ? fixed(distance_m, 2) : sensor.update ? state(sensor) : 'no data'
  // Words for what is not measured stand within the beam, numbers at its end, so that neighbours do not meet.
  const away = valid ? Math.min(length + radius_m * LABEL_ABOVE, radius_m * 0.9) : length * WORDS_AT
  const [x, y] = rayEnd(part, part.yaw_rad, away)
  // Weight and colour both show what is near: the arc is thick, and the number is beside it.
  const near = valid && distance_m !== null && distance_m < 0.3
  return (
    <g class={valid ? (near ? 'cone near' : 'cone') : 'cone none'}>
      <path class="beam" d={conePath(part, part.yaw_rad, width_rad, length)} />
      {valid && <path class="hit" d={arcPath(part, part.yaw_rad, width_rad, length)} />}
      <text x={x} y={y} font-size={valid ? letter * 1.1 : letter}>
        {label}
      </text>
    </g>
  )
}

const state = (sensor: Sensor) => (sensor.status ? words(sensor.status).toLowerCase() : 'no data')

/** Deeper than this below an edge sensor is no floor. */
const FLOOR_M = 0.06

export const isEdge = (sensor: Sensor) =>
  sensor.valid ? sensor.distance_m !== null && sensor.distance_m > FLOOR_M : sensor.status === 'too_far'

export function Edges({ sensors, body_m }: { sensors: Sensor[]; body_m: number }) {
  const size = body_m * 0.09
  return (
    <g class="edges" aria-hidden="true">
      {sensors.map((sensor) => {
        const [x, y] = onPage(sensor.part.x_m, sensor.part.y_m)
        const edge = isEdge(sensor)
        return (
          <g key={sensor.part.part} class={edge ? 'edge open' : sensor.update ? 'edge' : 'edge none'}>
            <rect x={x - size} y={y - size} width={size * 2} height={size * 2} rx={size * 0.3} />
            {edge && (
              <path
                d={`M${x - size * 0.6} ${y - size * 0.6}l${size * 1.2} ${size * 1.2}m0 ${-size * 1.2}l${-size * 1.2} ${size * 1.2}`}
              />
            )}
          </g>
        )
      })}
    </g>
  )
}
