// Which keys a robot has, and which of them to show first.

import type { Dialect, DialectMessage, Figure } from '../../api/types'
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

/** The key that shows best what is translated: short messages with other names and units, the robot's own dialect first. */
export function first(keys: Key[], dialects: Dialect[], family: string | undefined): Key | null {
  let best: Key | null = null
  let most = -Infinity
  for (const candidate of keys) {
    const points = worth(candidate.kind, dialects, family)
    if (points > most) [best, most] = [candidate, points]
  }
  return best
}

/** What is shown where nobody chose: of all sensors and joints the one that is small and tells most. */
export function example(
  robots: { robot: string; family: string }[],
  figures: Record<string, Figure>,
  dialects: Dialect[],
): { robot: string; key: Key | null } | null {
  let best: { robot: string; key: Key | null } | null = null
  let most = -Infinity
  for (const { robot, family } of robots) {
    const key = first(keysOf([], figures[family]), dialects, family)
    const points = key ? worth(key.kind, dialects, family) : -1
    if (points > most) [best, most] = [{ robot, key }, points]
  }
  return best
}

/** So many fields of a message weigh as much as one that is renamed or has another unit. */
const FIELDS_A_POINT = 4
/** The others together count as one. */
const OTHERS = 4

export function worth(kind: string, dialects: Dialect[], family: string | undefined): number {
  let points = 0
  for (const { name, messages } of dialects) {
    const best = Math.max(0, ...messages.map((message) => worthOf(message, kind)))
    points += name === family ? best : best / OTHERS
  }
  return points
}

function worthOf(message: DialectMessage, kind: string): number {
  const mine = message.fields.filter((it) => it.kind === kind && it.model !== null)
  if (mine.length === 0) return 0
  const renamed = mine.some((it) => it.wire !== it.model)
  const scaled = mine.some((it) => it.factor !== null && Math.abs(it.factor - 1) > 1e-9)
  // A message that is about this kind alone shows it best.
  const alone = message.kinds.length === 1
  return (
    2 + (renamed ? 1 : 0) + (scaled ? 1 : 0) + (alone ? 0.5 : 0) - message.fields.length / FIELDS_A_POINT / 2
  )
}

/** Keys in which every word of the search stands. */
export function matching(keys: Key[], search: string): Key[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return keys.filter(({ name }) =>
    words.every((word) => name.replaceAll('_', ' ').includes(word) || name.includes(word)),
  )
}
