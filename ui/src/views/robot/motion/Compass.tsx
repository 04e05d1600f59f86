// A compass of the robot's own map: 0° is along x, counter-clockwise, as robots count.

import { quantity } from '../units'

const TICKS = Array.from({ length: 24 }, (_, at) => at * 15)
const NAMES: [number, string][] = [
  [0, '0°'],
  [90, '90°'],
  [180, '180°'],
  [270, '−90°'],
]

export function Compass({ yaw_rad }: { yaw_rad: number | null }) {
  const turn = ((yaw_rad ?? 0) * 180) / Math.PI
  return (
    <figure class={yaw_rad === null ? 'unknown' : ''}>
      <svg
        viewBox="-104 -104 208 208"
        role="img"
        aria-label={`Yaw ${quantity(yaw_rad, 'rad')}, counter-clockwise from x`}
      >
        <circle class="rim" r="100" />
        {TICKS.map((at) => (
          <path key={at} class="tick" d={`M0 -98V${at % 45 === 0 ? -88 : -93}`} transform={`rotate(${at})`} />
        ))}
        {NAMES.map(([deg, name]) => (
          <text
            key={deg}
            x={Math.cos((-deg * Math.PI) / 180) * 60}
            y={Math.sin((-deg * Math.PI) / 180) * 68}
            font-size="17"
          >
            {name}
          </text>
        ))}
        {yaw_rad !== null && (
          <path class="needle" d="M38 0L-26 -20L-15 0L-26 20Z" transform={`rotate(${-turn})`} />
        )}
      </svg>
      <figcaption>
        <span>Yaw {quantity(yaw_rad, 'rad')}</span>
      </figcaption>
    </figure>
  )
}
