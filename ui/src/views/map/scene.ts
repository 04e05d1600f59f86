// What moves on the map, put together from the world and from what robots say of themselves.

import type { Feed } from '../../api/feed'
import type { WorldNow } from '../../api/types'
import { figures, robots } from '../../live/gateway'
import { list, number } from '../../live/read'
import { STALE_MS } from '../../live/time'
import type { Point } from './camera'
import { isDrawn } from './frames'

export interface Body {
  robot: string
  family: string
  x: number
  y: number
  yaw: number
  outline: Point[]
  /** Where the simulated world has it, or where it believes to be. */
  known: 'true' | 'own'
  /** Nothing came from it lately. */
  stale: boolean
}

const SQUARE: Point[] = [
  [0.15, 0.15],
  [-0.15, 0.15],
  [-0.15, -0.15],
  [0.15, -0.15],
]

/** Bodies where the world has them; others where they say that they are. */
export function bodies(now: WorldNow | null, poses: Feed | null, footprints: Feed | null): Body[] {
  const up = new Map(robots.value.map((robot) => [robot.robot, robot]))
  const outline = (robot: string, family: string): Point[] => {
    const published = list(footprints?.values.get(`${robot}/footprint`)?.update.data, 'polygon_m')
    return published.length > 2
      ? (published as unknown as Point[])
      : (figures.value[family]?.outline_m ?? SQUARE)
  }
  const found: Body[] = (now?.robots ?? []).map((it) => ({
    robot: it.robot,
    family: it.family,
    x: it.x_m,
    y: it.y_m,
    yaw: it.yaw_rad,
    outline: outline(it.robot, it.family),
    known: 'true',
    stale: up.get(it.robot)?.link.state === 'down',
  }))
  if (!poses) return found
  const here = new Set(found.map((body) => body.robot))
  for (const body of believed(poses))
    if (!here.has(body.robot)) found.push({ ...body, outline: outline(body.robot, body.family) })
  return found
}

/** Where robots believe to be, in the frame that is drawn. */
export function believed(poses: Feed): Body[] {
  const found: Body[] = []
  for (const { robot, family, link } of robots.value) {
    const known = poses.values.get(`${robot}/pose`)
    const data = known?.update.data
    const [x, y, yaw] = ['x_m', 'y_m', 'yaw_rad'].map((name) => number(data, name))
    if (!known || x === null || y === null || x === undefined || y === undefined) continue
    if (!isDrawn(data)) continue
    const stale = link.state !== 'up' || performance.now() - known.at > STALE_MS
    const outline = figures.value[family]?.outline_m ?? SQUARE
    found.push({ robot, family, x, y, yaw: yaw ?? 0, outline, known: 'own', stale })
  }
  return found
}

/** Where a scanner met something, in the frame that is drawn; nothing if the robot does not know where it is. */
export function scanPoints(data: Record<string, unknown> | undefined): Point[] {
  if (Array.isArray(data?.points_m)) return isDrawn(data) ? (data.points_m as Point[]) : []
  const ranges = data?.ranges_m
  const first = number(data, 'angle_min_rad')
  const step = number(data, 'angle_increment_rad')
  const [x, y, yaw] = ['pose.x_m', 'pose.y_m', 'pose.yaw_rad'].map((path) => number(data, path))
  if (!Array.isArray(ranges) || first === null || step === null) return []
  if (x === null || y === null || yaw === null || x === undefined || y === undefined || yaw === undefined)
    return []
  const points: Point[] = []
  ranges.forEach((range: unknown, ray) => {
    if (typeof range !== 'number') return
    const bearing = yaw + first + ray * step
    points.push([x + range * Math.cos(bearing), y + range * Math.sin(bearing)])
  })
  return points
}
