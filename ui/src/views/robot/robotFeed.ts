// What the page asks of one robot: everything small for the numbers; what moves, more often, for the drawing.

import type { Feed } from '../../api/feed'
import { useFeed } from '../../api/feeds'
import type { Figure, KindShape, Robot, Update } from '../../api/types'
import { reach } from '../../live/gateway'
import { STALE_MS } from '../../live/time'
import { worldPaused } from './pause'

/** What every part of the robot's page gets. */
export interface Shown {
  robot: Robot
  figure: Figure | undefined
  feed: Feed
}

/** A selector of kinds of one robot; pictures and sound are left out unless named, since asking makes them. */
export function selectOf(robot: string, kinds: readonly string[]): string {
  return kinds.map((kind) => `${robot}/${kind}/**`).join(',')
}

/** Every kind that is no picture, sound or map. */
export const smallKinds = (kinds: Record<string, KindShape>) =>
  Object.values(kinds)
    .filter((shape) => shape.class !== 'bulk' && shape.class !== 'stream')
    .map((shape) => shape.kind)

export function useRobotFeed(robot: string, kinds: Record<string, KindShape>): Feed {
  return useFeed({ select: selectOf(robot, smallKinds(kinds)), every: '200ms', batch: '200ms' })
}

/** What the body drawing shows. */
const LIVELY = ['range', 'cliff', 'contact', 'sound_source']

export function useBodyFeed(robot: string): Feed {
  return useFeed({ select: selectOf(robot, LIVELY), every: '80ms', batch: '80ms' })
}

/** The newest update of a kind; of a part if it is named, else of the one without, else of any. */
export function newest(feed: Feed, robot: string, kind: string, part?: string): Update | undefined {
  if (part !== undefined) return feed.values.get(`${robot}/${kind}/${part}`)?.update
  const plain = feed.values.get(`${robot}/${kind}`)
  if (plain) return plain.update
  return allOf(feed, robot, kind)[0]
}

/** Newest updates of all parts of a kind, in the order of their names. */
export function allOf(feed: Feed, robot: string, kind: string): Update[] {
  const found: Update[] = []
  const start = `${robot}/${kind}`
  for (const [key, { update }] of feed.values) {
    if (key === start || key.startsWith(`${start}/`)) found.push(update)
  }
  return found.sort((a, b) => (a.part ?? '').localeCompare(b.part ?? '', 'en', { numeric: true }))
}

export type Freshness = 'live' | 'stale' | 'paused' | 'disconnected' | 'lost'

/** Whether what the page shows is what the robot says now, and if not, why. */
export function freshness(robot: Robot, feed: Feed): Freshness {
  if (reach.value === 'lost' || feed.state.value === 'lost') return 'lost'
  if (robot.link.state !== 'up') return 'disconnected'
  if (robot.origin === 'simulated' && worldPaused.value) return 'paused'
  const now = performance.now()
  let last = -Infinity
  for (const { at } of feed.values.values()) last = Math.max(last, at)
  return now - last > STALE_MS ? 'stale' : 'live'
}

/** Says that a component is drawn anew when these change. */
export function drawnWith(..._: unknown[]): void {
  // Reading the signals' values was enough.
}
