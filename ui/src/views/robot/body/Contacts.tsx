// Bumpers as arcs along the side that feels, touch sensors as rings; both are thick while they are pressed.

import type { Figure, Update } from '../../../api/types'
import { bool } from '../../../live/read'
import { arcPath, onPage } from './geometry'

const MIDDLE = { x_m: 0, y_m: 0 }
/** Bumpers that meet are drawn a little apart, so that each is seen. */
const APART = 0.16

interface Props {
  figure: Figure | undefined
  contact: (part: string) => Update | undefined
  body_m: number
}

export function Contacts({ figure, contact, body_m }: Props) {
  return (
    <g class="contacts" aria-hidden="true">
      {figure?.parts
        .filter((part) => part.kind === 'contact')
        .map((part) => {
          const [x, y] = onPage(part.x_m, part.y_m)
          const pressed = bool(contact(part.part)?.data, 'contacted') === true
          if (part.field_of_view_rad !== null) {
            const arc = arcPath(
              MIDDLE,
              part.yaw_rad,
              Math.max(0.1, part.field_of_view_rad - APART),
              body_m * 1.12,
            )
            return <path key={part.part} class={pressed ? 'bumper pressed' : 'bumper'} d={arc} />
          }
          return (
            <g key={part.part} class={pressed ? 'contact pressed' : 'contact'}>
              {pressed && <circle class="halo" cx={x} cy={y} r={body_m * 0.28} />}
              <circle cx={x} cy={y} r={body_m * (pressed ? 0.13 : 0.08)} />
            </g>
          )
        })}
    </g>
  )
}
