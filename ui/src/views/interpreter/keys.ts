// Which keys a robot has, and which of them to show first.

import type { Dialect, Figure } from '../../api/types'
import { byName } from '../connections/order'

export interface Key {
  kind: string
  part: string | null
  /** `kind/part`. */
  name: string
}

export const key = (kind: string, part: string | null): Key => ({
  kind,
  part,
  name: part === null ? kind : `${kind}/${part}`,
})

/** `misty-1/range/front_left` as robot and key; a key may be missing. */
export function fromAddress(address: string | undefined): { robot: string | null; key: Key | null } {
  const [robot, kind, ...part] = (address ?? '').split('/').filter((it) => it !== '')
  return {
    robot: robot ?? null,
    key: kind === undefined ? null : key(kind, part.length > 0 ? part.join('/') : null),
  }
}

/**
 * What the robot said, what its family's sensors say once somebody asks, and the kinds that its dialect has
 * words for.
 */
export function keysOf(
  said: { kind: string; part: string | null }[],
  figure: Figure | undefined,
  translated: string[] = [],
): Key[] {
  const all = [...said]
  for (const { kind, part } of figure?.parts ?? []) all.push({ kind, part })
  for (const { part } of figure?.joints ?? []) all.push({ kind: 'joint', part })
  for (const { kind, part } of figure?.cameras ?? []) all.push({ kind, part })
  const known = new Set(all.map(({ kind }) => kind))
  for (const kind of translated) if (!known.has(kind)) all.push({ kind, part: null })
  const found = new Map(all.map(({ kind, part }) => [key(kind, part).name, key(kind, part)]))
  return [...found.values()].sort((one, other) => byName(one.name, other.name))
}

/** The key that shows most of what is translated: translated by most dialects, with units that change. */
export function first(keys: Key[], dialects: Dialect[]): Key | null {
  let best: Key | null = null
  let most = -1
  for (const candidate of keys) {
    const points = worth(candidate.kind, dialects)
    if (points > most) [best, most] = [candidate, points]
  }
  return best
}

export function worth(kind: string, dialects: Dialect[]): number {
  let points = 0
  for (const { messages } of dialects) {
    let best = 0
    for (const message of messages) {
      const mine = message.fields.filter((it) => it.kind === kind && it.model !== null)
      const renamed = mine.some((it) => it.model !== null && it.wire !== it.model)
      const scaled = mine.some((it) => it.factor !== null && Math.abs(it.factor - 1) > 1e-9)
      // A message that is about this kind alone shows it best.
      const alone = message.kinds.length === 1 ? 1 : 0
      if (mine.length > 0) best = Math.max(best, 4 + (renamed ? 2 : 0) + (scaled ? 2 : 0) + alone)
    }
    points += best
  }
  return points
}

/** Keys in which every word of the search stands. */
export function matching(keys: Key[], search: string): Key[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return keys.filter(({ name }) =>
    words.every((word) => name.replaceAll('_', ' ').includes(word) || name.includes(word)),
  )
}
