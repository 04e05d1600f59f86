// What the page knows of the gateway itself: whether it answers, which robots it has, how much they say.

import { computed, signal } from '@preact/signals'

import { get, Refusal } from '../api/http'
import type { Dialect, Figure, Health, KindShape, Robot } from '../api/types'
import { lookUp, me } from './me'

const EVERY_MS = 1_500
const RETRY_MS = 1_000
/** A gateway that is silent for longer is lost. */
const SILENT_MS = 3_000
const byName = new Intl.Collator(undefined, { numeric: true })

export const health = signal<Health | null>(null)
/** How the gateway's config stands; an admin's page knows. */
export const config = signal<{ error: string | null; doubts: string[] } | null>(null)
export const robots = signal<Robot[]>([])
/** Updates a second, by robot. */
export const rates = signal<Record<string, number>>({})
export const reach = signal<'connecting' | 'up' | 'lost'>('connecting')
export const figures = signal<Record<string, Figure>>({})
export const kinds = signal<Record<string, KindShape>>({})
export const dialects = signal<Dialect[]>([])
/** Whether there is a simulated world. */
export const simulated = signal(false)

/** Families in a steady order, so that each keeps its colour. */
export const families = computed(() => {
  const known = Object.keys(figures.value)
  const extra = robots.value.map((robot) => robot.family).filter((family) => !known.includes(family))
  return [...known, ...new Set(extra)]
})

/** The colour of a family, as a custom property of CSS. */
export function familyColor(family: string): string {
  const at = families.value.indexOf(family)
  return `var(--cat-${(at < 0 ? 7 : at) % 8})`
}

let counted: { at: number; received: Map<string, number> } | null = null
let uptime = Infinity

async function once(): Promise<void> {
  if (me.value === null || (me.value.has_users && me.value.name === null)) await lookUp()
  if (me.value?.has_users && me.value.name === null) return
  const [now, list, standing] = await Promise.all([
    get<Health>('/api/v1/health', SILENT_MS).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 503) return null
      throw error
    }),
    get<{ robots: Robot[] }>('/api/v1/robots', SILENT_MS),
    me.value?.is_admin ? get<{ error: string | null; doubts: string[] }>('/api/v1/reload', SILENT_MS) : null,
  ])
  if (now) simulated.value = now.simulated
  const restarted = now !== null && now.uptime_s < uptime
  if (now) uptime = now.uptime_s
  if (restarted || reach.value !== 'up') await refresh()
  count(list.robots)
  health.value = now
  config.value = standing
  robots.value = list.robots.sort((a, b) => byName.compare(a.robot, b.robot))
  reach.value = 'up'
}

/** What changes only when the gateway does. */
async function refresh(): Promise<void> {
  const [family, kind, dialect] = await Promise.all([
    get<{ families: Figure[] }>('/api/v1/families'),
    get<{ kinds: KindShape[] }>('/api/v1/kinds'),
    get<{ dialects: Dialect[] }>('/api/v1/dialects'),
  ])
  figures.value = Object.fromEntries(family.families.map((it) => [it.family, it]))
  kinds.value = Object.fromEntries(kind.kinds.map((it) => [it.kind, it]))
  dialects.value = dialect.dialects
}

function count(list: Robot[]): void {
  const at = performance.now()
  const received = new Map(list.map((robot) => [robot.robot, robot.received]))
  if (counted) {
    const seconds = (at - counted.at) / 1000
    const next: Record<string, number> = {}
    for (const [robot, total] of received) {
      const before = counted.received.get(robot)
      if (before !== undefined) next[robot] = Math.max(0, total - before) / seconds
    }
    rates.value = next
  }
  counted = { at, received }
}

export async function watchGateway(): Promise<never> {
  for (;;) {
    let pause = EVERY_MS
    try {
      await once()
    } catch (error) {
      // The login has ended, or the user is gone.
      if (error instanceof Refusal && error.status === 401) me.value = null
      reach.value = reach.value === 'connecting' ? 'connecting' : 'lost'
      counted = null
      pause = RETRY_MS
    }
    await new Promise((done) => setTimeout(done, pause))
  }
}
