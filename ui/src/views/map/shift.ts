// A shape of the world in another place.

import type { Shape } from '../../api/types'
import type { Point } from './camera'

/** A shape with its middle elsewhere, turned if it is. */
export function moved(shape: Shape, [x, y]: Point, yaw = shape.yaw_rad): Shape {
  const [sin, cos] = [Math.sin(yaw - shape.yaw_rad), Math.cos(yaw - shape.yaw_rad)]
  const place = ([px, py]: Point): Point => {
    const [dx, dy] = [px - shape.x_m, py - shape.y_m]
    return [x + cos * dx - sin * dy, y + sin * dx + cos * dy]
  }
  const circle = shape.circle
  const [cx, cy] = circle ? place([circle.x_m, circle.y_m]) : [0, 0]
  return {
    ...shape,
    x_m: x,
    y_m: y,
    yaw_rad: yaw,
    polygon_m: shape.polygon_m?.map(place) ?? null,
    circle: circle && { ...circle, x_m: cx, y_m: cy },
  }
}
