// Small things of the household and boxes: which of them hands can move, and where they lie then.

import type { Shape } from '../../api/types'
import type { Point } from './camera'
import type { Thing } from './options'

/** How near to the mark of a place a thing is dropped that shall lie there, metres. */
const AT_PLACE = 0.4

/** The thing that a shape is, if hands can move it. */
export function thingOf({ layer, name }: Shape): Thing | null {
  return name !== null && (layer === 'obstacle' || layer === 'object') ? { layer, name } : null
}

/** Where a thing lies that is dropped: at the place whose mark is near, else on the floor. */
export function lying(shapes: Shape[], [x_m, y_m]: Point): { place: string } | { x_m: number; y_m: number } {
  let nearest: { place: string; way: number } | null = null
  for (const { layer, name, x_m: x, y_m: y } of shapes) {
    const way = Math.hypot(x - x_m, y - y_m)
    if (layer === 'place' && name !== null && way < (nearest?.way ?? AT_PLACE)) nearest = { place: name, way }
  }
  return nearest ? { place: nearest.place } : { x_m, y_m }
}
