// What a robot senses, in short: the nearest thing now, and what it has to sense with.

import type { Feed } from '../../api/feed'
import type { Figure } from '../../api/types'
import { number, text, words } from '../../live/read'

let counted: { feed: Feed; tick: number; found: Map<string, number> } | null = null

/** The nearest valid distance of a robot's range sensors. All robots are looked through once a batch. */
export function nearest(feed: Feed, robot: string): number | null {
  const tick = feed.tick.value
  if (counted?.feed !== feed || counted.tick !== tick) {
    const found = new Map<string, number>()
    for (const { update } of feed.values.values()) {
      const distance = update.kind === 'range' ? number(update.data, 'distance_m') : null
      if (distance === null || text(update.data, 'status') !== 'valid') continue
      if (distance < (found.get(update.robot) ?? Infinity)) found.set(update.robot, distance)
    }
    counted = { feed, tick, found }
  }
  return counted.found.get(robot) ?? null
}

/** `4 range, 4 cliff, 10 contact, camera`. */
export function organs(figure: Figure | undefined): string {
  const counts = new Map<string, number>()
  for (const { kind } of figure?.parts ?? []) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const cameras = new Set(figure?.cameras.map((camera) => camera.part)).size
  for (const kind of ['image', 'compressed_image', 'video']) counts.delete(kind)
  if (cameras > 0) counts.set('camera', cameras)
  const parts = [...counts].map(
    ([kind, count]) => `${count > 1 ? `${count} ` : ''}${words(kind).toLowerCase()}`,
  )
  return parts.join(', ')
}
