// What is under the pointer: a robot first, then a person, then something that can be moved.

import type { Shape, WorldNow } from '../../api/types'
import type { Camera, Point } from './camera'
import { thingOf } from './objects'
import type { Body } from './scene'

export type Hit =
  | { what: 'robot'; body: Body }
  | { what: 'person'; name: string }
  | { what: 'shape'; shape: Shape }
  | { what: 'door'; name: string; state: string }

/** A finger is this wide. */
const FINGER = 10

export function pick(
  at: Point,
  camera: Camera,
  bodies: Body[],
  now: WorldNow | null,
  shapes: Shape[],
  people: boolean,
): Hit | null {
  const slack = FINGER / camera.k
  let nearest: { body: Body; way: number } | null = null
  for (const body of bodies) {
    const way = Math.hypot(body.x - at[0], body.y - at[1])
    const reach = Math.max(...body.outline.map(([x, y]) => Math.hypot(x, y)))
    if (way < Math.max(reach, slack) && way < (nearest?.way ?? Infinity)) nearest = { body, way }
  }
  if (nearest) return { what: 'robot', body: nearest.body }
  const near = ({ x_m, y_m }: { x_m: number; y_m: number }) =>
    Math.hypot(x_m - at[0], y_m - at[1]) < Math.max(0.3, slack)
  const person = people ? now?.people.find(near) : undefined
  if (person?.name != null) return { what: 'person', name: person.name }
  const door = now?.doors.find((it) => inside(at, it.polygon_m, slack))
  if (door) return { what: 'door', name: door.name, state: door.state }
  // What is carried is where its carrier is.
  const carried = (it: Shape) =>
    now?.things.some((thing) => thing.layer === 'object' && thing.name === it.name)
  const shape = shapes.findLast(
    (it) =>
      thingOf(it) !== null &&
      (it.layer === 'object' ? !carried(it) && covers(it, at, slack) : covers(it, at)),
  )
  return shape ? { what: 'shape', shape } : null
}

/** Whether a shape is at a place, or a circle within `slack` of it. */
function covers(shape: Shape, [x, y]: Point, slack = 0): boolean {
  const { circle } = shape
  if (circle) return Math.hypot(circle.x_m - x, circle.y_m - y) <= Math.max(circle.radius_m, slack)
  return shape.polygon_m !== null && inside([x, y], shape.polygon_m, 0)
}

/** Whether a place is within a polygon, or within `slack` of the box around it if that is given. */
export function inside([x, y]: Point, polygon: Point[], slack: number): boolean {
  if (slack > 0) {
    const xs = polygon.map((point) => point[0])
    const ys = polygon.map((point) => point[1])
    return (
      polygon.length > 0 &&
      x > Math.min(...xs) - slack &&
      x < Math.max(...xs) + slack &&
      y > Math.min(...ys) - slack &&
      y < Math.max(...ys) + slack
    )
  }
  let within = false
  polygon.forEach(([ax, ay], at) => {
    const [bx, by] = polygon[(at + polygon.length - 1) % polygon.length] as Point
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within
  })
  return within
}
