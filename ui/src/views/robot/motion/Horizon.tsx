// An artificial horizon: it tips as the ground would seem to from the robot.

import { quantity } from '../units'

/** How many units of the drawing (its radius is 100) one radian of pitch moves the horizon. */
const PITCH = 140
const LADDER_DEG = [-20, -10, 10, 20]
const DEG = Math.PI / 180

export function Horizon({ roll_rad, pitch_rad }: { roll_rad: number | null; pitch_rad: number | null }) {
  const known = roll_rad !== null && pitch_rad !== null
  const roll = ((roll_rad ?? 0) * 180) / Math.PI
  // Positive pitch tips forward: the horizon goes up.
  const shift = -Math.max(-0.6, Math.min(0.6, pitch_rad ?? 0)) * PITCH
  const words = `Roll ${quantity(roll_rad, 'rad')}, pitch ${quantity(pitch_rad, 'rad')}`
  return (
    <figure class={known ? '' : 'unknown'}>
      <svg viewBox="-104 -104 208 208" role="img" aria-label={words}>
        <clipPath id="horizon-disc">
          <circle r="100" />
        </clipPath>
        <g clip-path="url(#horizon-disc)">
          <circle class="sky" r="100" />
          {known && (
            <g transform={`rotate(${-roll}) translate(0 ${shift})`}>
              <rect class="ground" x="-220" y="0" width="440" height="400" />
              <path class="line" d="M-220 0H220" />
              {LADDER_DEG.map((deg) => (
                <path key={deg} class="step" d={`M-22 ${deg * DEG * PITCH}H22`} />
              ))}
            </g>
          )}
        </g>
        <path class="wings" d="M-62 0H-24L-14 10M62 0H24L14 10M0 -1V1" />
        <circle class="rim" r="100" />
      </svg>
      <figcaption>
        <span>Roll {quantity(roll_rad, 'rad')}</span>
        <span>Pitch {quantity(pitch_rad, 'rad')}</span>
      </figcaption>
    </figure>
  )
}
