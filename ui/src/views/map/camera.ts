// Between metres on the floor and points on the screen. The world's y goes up, the screen's goes down.

export interface Camera {
  /** Points of the screen per metre. */
  k: number
  /** Where the map's origin is on the screen. */
  x: number
  y: number
}

export type Point = [number, number]

export const toScreen = (camera: Camera, [x, y]: Point): Point => [
  camera.x + camera.k * x,
  camera.y - camera.k * y,
]

export const toWorld = (camera: Camera, [x, y]: Point): Point => [
  (x - camera.x) / camera.k,
  (camera.y - y) / camera.k,
]

/** Beside a room that is shown whole; below it are the scale and the buttons of the view. */
const MARGIN = 20
const BELOW = 54

/** Shows a rectangle of the floor, `[min_x, min_y, max_x, max_y]`, in the middle of the screen. */
export function fit(bounds: [number, number, number, number], width: number, height: number): Camera {
  const [x0, y0, x1, y1] = bounds
  const across = Math.max(x1 - x0, 0.1)
  const up = Math.max(y1 - y0, 0.1)
  const k = Math.max(1, Math.min((width - 2 * MARGIN) / across, (height - MARGIN - BELOW) / up))
  const middle = (height + MARGIN - BELOW) / 2
  return { k, x: width / 2 - (k * (x0 + x1)) / 2, y: middle + (k * (y0 + y1)) / 2 }
}

/** The same scale with a place in the middle. */
export const centred = (camera: Camera, [x, y]: Point, width: number, height: number): Camera => ({
  k: camera.k,
  x: width / 2 - camera.k * x,
  y: height / 2 + camera.k * y,
})

/** A distance for the scale bar: 1, 2 or 5 times a power of ten, about `points` long. */
export function scaleBar(camera: Camera, points: number): number {
  const wanted = points / camera.k
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = [5, 2, 1].find((factor) => factor * power <= wanted) ?? 1
  return step * power
}

/** Points of a body's own axes on the map. */
export function placed(points: Point[], x: number, y: number, yaw: number): Point[] {
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)]
  return points.map(([px, py]) => [x + cos * px - sin * py, y + sin * px + cos * py])
}

export function bounds(points: Point[]): [number, number, number, number] | null {
  if (points.length === 0) return null
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}
