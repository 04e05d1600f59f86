// Where daylight falls through the windows of the outer walls.

import type { Shape } from '../../api/types'
import type { Point } from './camera'

/** What a window without a height of its own has, metres. */
const HEAD_M = 2.1
/** How far into the room light falls from a height of a metre: at the lower and at the upper edge. */
const NEAR = 0.25
const FAR = 0.8
/** How much wider it gets on its way into the room. */
const SPREAD = 0.18

/** The corners of the light on the floor; nothing for what is no window. */
export function daylight({ layer, polygon_m, yaw_rad, height_m }: Shape): Point[] {
  const [from, to] = polygon_m ?? []
  if (layer !== 'window' || !from || !to) return []
  const head = height_m ?? HEAD_M
  const [inX, inY] = [Math.cos(yaw_rad), Math.sin(yaw_rad)]
  const [alongX, alongY] = [(to[0] - from[0]) * SPREAD, (to[1] - from[1]) * SPREAD]
  const into = ([x, y]: Point, far: number, wider: number): Point => [
    x + inX * head * far + alongX * wider,
    y + inY * head * far + alongY * wider,
  ]
  return [into(from, NEAR, 0), into(to, NEAR, 0), into(to, FAR, 1), into(from, FAR, -1)]
}
