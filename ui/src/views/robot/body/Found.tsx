// Things that the robot sees around it, if it tells where they are from its own place.

import { list, number, text, words } from '../../../live/read'
import { allOf, drawnWith, type Shown } from '../robotFeed'
import { onPage, withRoom } from './geometry'

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
  const things = marks.slice(0, MOST)
  const names = things.map(({ at: [x, y], name }) => ({ x: x + size * 1.6, y: y + size * 0.8, name }))
  return (
    <g class="found" aria-hidden="true">
      {things.map(({ at: [x, y] }, index) => (
        <path key={index} d={`M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}Z`} />
      ))}
      {withRoom(names, letter).map(({ x, y, name }, index) => (
        <text key={index} x={x} y={y} font-size={letter}>
          {name}
        </text>
      ))}
    </g>
  )
}
