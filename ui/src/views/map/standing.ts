// Whether something can stand at a place, as far as the page sees it; the world has the last word.

import type { Shape, World } from '../../api/types'
import type { Point } from './camera'
import { inside } from './pick'

const UPRIGHT = ['wall', 'furniture', 'obstacle', 'rack', 'pallet']
/** Below a table there is room between its legs, which are furniture. */
const SOLID = new Set([...UPRIGHT, 'table'])
const BLOCKS = new Set([...UPRIGHT, 'drop'])
const ROUND = 12

/** The corners of a shape; of a circle as many as look round. */
export function corners(shape: Pick<Shape, 'polygon_m' | 'circle'>): Point[] {
  if (shape.polygon_m) return shape.polygon_m
  const { circle } = shape
  if (!circle) return []
  return Array.from({ length: ROUND }, (_, at): Point => {
    const angle = (at * 2 * Math.PI) / ROUND
    return [circle.x_m + circle.radius_m * Math.cos(angle), circle.y_m + circle.radius_m * Math.sin(angle)]
  })
}

/** Whether an outline on the floor is free; `itself` is no obstacle to what is moved. */
export function isFree(outline: Point[], world: World, itself?: Shape): boolean {
  const [x0, y0, x1, y1] = world.bounds_m
  if (outline.some(([x, y]) => x < x0 || y < y0 || x > x1 || y > y1)) return false
  return !world.shapes.some((shape) => {
    if (!BLOCKS.has(shape.layer)) return false
    if (itself && shape.layer === itself.layer && shape.name === itself.name) return false
    const other = corners(shape)
    return (
      outline.some((point) => inside(point, other, 0)) || other.some((point) => inside(point, outline, 0))
    )
  })
}

export const isSolid = (layer: string) => SOLID.has(layer)
