// What a robot senses, in short: the nearest thing now, and what it has to sense with.

import type { Feed } from '../../api/feed'
import type { Figure } from '../../api/types'
import { number, text, words } from '../../live/read'

/** The nearest valid distance of a robot's range sensors. */
export function nearest(feed: Feed, robot: string): number | null {
  let found: number | null = null
  for (const [key, { update }] of feed.values) {
    if (!key.startsWith(`${robot}/range`) || update.robot !== robot) continue
    const distance = number(update.data, 'distance_m')
    if (distance !== null && text(update.data, 'status') === 'valid' && distance < (found ?? Infinity))
      found = distance
  }
  return found
}

/** `4 range, 4 cliff, 10 contact, camera`. */
export function organs(figure: Figure | undefined): string {
  const counts = new Map<string, number>()
  for (const { kind } of figure?.parts ?? []) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const cameras = new Set(figure?.cameras.map((camera) => camera.part)).size
  for (const kind of ['image', 'compressed_image', 'video']) counts.delete(kind)
  if (cameras > 0) counts.set('camera', cameras)
  const told = [...counts].map(
    ([kind, count]) => `${count > 1 ? `${count} ` : ''}${words(kind).toLowerCase()}`,
  )
  return told.join(', ')
}
