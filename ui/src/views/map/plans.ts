// The ways that robots plan: only those that are still to be driven, and of them what lies ahead.

import type { Feed } from '../../api/feed'
import { list, text } from '../../live/read'
import type { Point } from './camera'
import type { Body } from './scene'

export interface Plan {
  robot: string
  points: Point[]
  local: boolean
}

/** A robot that publishes no navigation has a plan for so long. */
const OLD_MS = 5_000
/** A robot this near to the end of its way is there. */
const THERE_M = 0.25

/** `feed` has paths and navigation. */
export function plans(feed: Feed, bodies: Body[], now: number): Plan[] {
  const found: Plan[] = []
  for (const { update, at } of feed.values.values()) {
    if (update.kind !== 'path' || update.part === 'trajectory') continue
    const navigation = feed.values.get(`${update.robot}/navigation`)?.update.data
    const drives = navigation ? text(navigation, 'state') === 'moving' : now - at < OLD_MS
    const body = bodies.find((it) => it.robot === update.robot)
    const points = list(update.data, 'points_m') as unknown as Point[]
    const rest = drives ? ahead(points, body && [body.x, body.y]) : []
    if (rest.length > 1) found.push({ robot: update.robot, points: rest, local: update.part === 'local' })
  }
  return found
}

/** What is left of a way for a robot at a place: nothing at its end. */
export function ahead(points: Point[], at: Point | undefined): Point[] {
  const end = points.at(-1)
  if (!at || !end) return points
  const way = ([x, y]: Point) => Math.hypot(x - at[0], y - at[1])
  if (way(end) < THERE_M) return []
  let nearest = 0
  points.forEach((point, index) => {
    if (way(point) <= way(points[nearest] as Point)) nearest = index
  })
  const next = nearest + 1 < points.length ? points.slice(nearest + 1) : [end]
  return [at, ...next]
}
