// Shapes of the body drawing. The robot looks up the page: its x is up, its y is left, in metres.

export interface Place {
  x_m: number
  y_m: number
}

/** A point of the robot on the page, in metres of the drawing. */
export const onPage = (x_m: number, y_m: number): [number, number] => [-y_m, -x_m]

const text = (value: number) => String(Math.round(value * 10_000) / 10_000)

/** A closed outline as the path of an SVG. */
export function outlinePath(corners: readonly (readonly [number, number])[]): string {
  if (corners.length === 0) return ''
  const points = corners.map(([x, y]) => onPage(x, y).map(text).join(' '))
  return `M${points.join('L')}Z`
}

/** Where a ray from a sensor ends. */
export function rayEnd(from: Place, bearing_rad: number, length_m: number): [number, number] {
  return onPage(from.x_m + Math.cos(bearing_rad) * length_m, from.y_m + Math.sin(bearing_rad) * length_m)
}

/** A cone from a sensor: two straight sides and an arc. */
export function conePath(from: Place, bearing_rad: number, width_rad: number, length_m: number): string {
  const [x, y] = onPage(from.x_m, from.y_m)
  const half = Math.min(width_rad, 2 * Math.PI - 0.001) / 2
  const [ax, ay] = rayEnd(from, bearing_rad + half, length_m)
  const [bx, by] = rayEnd(from, bearing_rad - half, length_m)
  const large = width_rad > Math.PI ? 1 : 0
  const radius = text(length_m)
  return `M${text(x)} ${text(y)}L${text(ax)} ${text(ay)}A${radius} ${radius} 0 ${large} 1 ${text(bx)} ${text(by)}Z`
}

/** The arc at the end of a cone. */
export function arcPath(from: Place, bearing_rad: number, width_rad: number, length_m: number): string {
  const half = Math.min(width_rad, 2 * Math.PI - 0.001) / 2
  const [ax, ay] = rayEnd(from, bearing_rad + half, length_m)
  const [bx, by] = rayEnd(from, bearing_rad - half, length_m)
  const large = width_rad > Math.PI ? 1 : 0
  const radius = text(length_m)
  return `M${text(ax)} ${text(ay)}A${radius} ${radius} 0 ${large} 1 ${text(bx)} ${text(by)}`
}

/** How far the outline reaches from the middle. */
export function reach(corners: readonly (readonly [number, number])[]): number {
  return corners.reduce((most, [x, y]) => Math.max(most, Math.hypot(x, y)), 0.05)
}

const STEPS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4, 6, 8, 10, 15, 20, 30]

/** The radius of the drawing: as much as is measured now and the body, in steps, so that it does not jitter. */
export function viewRadius(body_m: number, measured_m: readonly number[], before_m?: number): number {
  const most = measured_m.reduce((max, value) => Math.max(max, value), 0)
  const wanted = Math.max(body_m * 1.6, Math.min(most * 1.12, 30))
  const step = STEPS.find((it) => it >= wanted) ?? 30
  // Grows at once; shrinks only when there is much room.
  if (before_m !== undefined && step < before_m && wanted > before_m * 0.55) return before_m
  return step
}

/** Distance between the rings of the drawing. */
export function ringStep(radius_m: number): number {
  for (const step of [0.1, 0.25, 0.5, 1, 2, 5]) if (radius_m / step <= 4.5) return step
  return 10
}

export interface ScanRays {
  angle_min_rad: number
  angle_increment_rad: number
  ranges_m: readonly (number | null)[]
}

/** Where a scanner's rays met something, in the robot's own axes: x, y, x, y… Rays without an echo are left out. */
export function scanPoints(scan: ScanRays, at: Place & { yaw_rad: number }): Float32Array {
  const points = new Float32Array(scan.ranges_m.length * 2)
  let length = 0
  for (let ray = 0; ray < scan.ranges_m.length; ray++) {
    const range = scan.ranges_m[ray]
    if (typeof range !== 'number' || !Number.isFinite(range)) continue
    const bearing = at.yaw_rad + scan.angle_min_rad + ray * scan.angle_increment_rad
    points[length++] = at.x_m + Math.cos(bearing) * range
    points[length++] = at.y_m + Math.sin(bearing) * range
  }
  return points.subarray(0, length)
}

/** A letter's width as a share of its height, about. */
const WIDE = 0.56

/** The names that do not stand on one before them; a line of text begins at `x` and stands on `y`. */
export function withRoom<T extends { x: number; y: number; name: string }>(names: T[], letter: number): T[] {
  const kept: T[] = []
  const right = ({ x, name }: T) => x + name.length * letter * WIDE
  const touches = (a: T, b: T) => Math.abs(a.y - b.y) < letter && a.x < right(b) && b.x < right(a)
  for (const name of names) if (!kept.some((other) => touches(name, other))) kept.push(name)
  return kept
}
