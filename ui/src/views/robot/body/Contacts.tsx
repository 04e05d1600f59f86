// Bumpers and touch sensors: a ring each that is filled while it is pressed.

import type { Figure, Update } from '../../../api/types'
import { bool } from '../../../live/read'
import { onPage } from './geometry'

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
          const pressed = bool(contact(part.part ?? '')?.data, 'contacted') === true
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
