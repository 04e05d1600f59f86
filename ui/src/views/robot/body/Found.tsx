// Things that the robot sees around it, if it tells where they are from its own place.

import { list, number, text, words } from '../../../live/read'
import { allOf, drawnWith, type Shown } from '../robotFeed'
import { onPage } from './geometry'

const MOST = 24
/** What the range and edge sensors show already. */
const PLAIN = ['floor', 'obstacle']

export function Found({ robot, feed, radius_m, letter }: Shown & { radius_m: number; letter: number }) {
  drawnWith(feed.tick.value)
  const marks = allOf(feed, robot.robot, 'objects').flatMap((update) =>
    list(update.data, 'objects').flatMap((object) => {
      const x = number(object, 'pose.x_m')
      const y = number(object, 'pose.y_m')
      const plain = PLAIN.includes(text(object, 'class') ?? '')
      if (plain || text(object, 'pose.frame') !== 'base_link' || x === null || y === null) return []
      if (Math.hypot(x, y) > radius_m * 0.95) return []
      const name = text(object, 'label') ?? words(text(object, 'class') ?? 'thing').toLowerCase()
      return [{ at: onPage(x, y), name }]
    }),
  )
  const size = radius_m * 0.018
  return (
    <g class="found" aria-hidden="true">
      {marks.slice(0, MOST).map(({ at: [x, y], name }, index) => (
        <g key={index}>
          <path d={`M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}Z`} />
          <text x={x + size * 1.6} y={y + size * 0.8} font-size={letter}>
            {name}
          </text>
        </g>
      ))}
    </g>
  )
}
