// What robots see now: the chosen one's cameras first, then one of each other robot.

import type { Robot } from '../../api/types'
import { figures, robots } from '../../live/gateway'
import { words } from '../../live/read'
import { selected } from '../map/options'
import { Camera } from '../robot/cameras/Camera'
import { camerasOf } from '../robot/cameras/forms'

/** More would be small, and each is rendered by the gateway while it is on the screen. */
const MOST = 3

interface Peek {
  robot: Robot
  part: string
  forms: string[]
}

export function Peeks() {
  const found = choice(robots.value, selected.value)
  if (found.length === 0) return null
  return (
    <section class="peeks" aria-label="Cameras">
      {found.map(({ robot, part, forms }) => (
        <figure key={`${robot.robot}/${part}`} class="panel">
          <figcaption title={`${robot.robot}, ${words(part || 'camera').toLowerCase()}`}>
            <a href={`/robot/${robot.robot}`}>{robot.robot}</a>{' '}
            <span class="muted">{words(part || 'camera').toLowerCase()}</span>
          </figcaption>
          <Camera robot={robot} part={part} forms={forms} />
        </figure>
      ))}
    </section>
  )
}

function choice(all: Robot[], chosen: string | null): Peek[] {
  const each = all.map((robot) =>
    camerasOf(figures.value[robot.family]).map(({ part, forms }) => ({
      robot,
      part,
      // Single pictures begin at once and cost the gateway less than a video of each robot.
      forms: [...forms].sort((a, b) => Number(a === 'video') - Number(b === 'video')),
    })),
  )
  const own = each.filter((peeks) => peeks[0]?.robot.robot === chosen).flat()
  const others = each.flatMap((peeks) => peeks.slice(0, 1)).filter((peek) => peek.robot.robot !== chosen)
  return [...own, ...others].slice(0, MOST)
}
