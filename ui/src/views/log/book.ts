// The lines of the log, bounded: new ones come, the oldest go, and it can be read while it is held.

import type { Gap, Update } from '../../api/types'
import { type Severity, summary } from './summary'

export interface Entry {
  id: string
  at: string
  robot: string
  kind: string
  part: string | null
  severity: Severity
  words: string
  /** What the gateway told, to look at. */
  frame: Update | Gap
}

export class Book {
  /** Oldest first. */
  private lines: Entry[] = []
  private held: Entry[] | null = null
  private readonly known = new Set<string>()
  /** What states said last, so that only changes are told. */
  private readonly states = new Map<string, string>()
  private readonly recorded = new Map<string, string>()
  /** How many came since the reader holds the log. */
  fresh = 0
  /** How many were let go. */
  dropped = 0
  private gaps = 0

  constructor(private readonly limit: number) {}

  /** Takes an update, if it tells something new; `recorded` are those that the gateway remembers. */
  take(update: Update, recorded = false): boolean {
    const id = `${update.key}#${update.sequence}`
    if (this.known.has(id)) return false
    if (update.class !== 'event' && !this.changed(update, recorded ? this.recorded : this.states, recorded)) {
      return false
    }
    const { robot, kind, part, received } = update
    this.put({ id, at: received, robot, kind, part, ...summary(update), frame: update })
    return true
  }

  private changed(update: Update, states: Map<string, string>, recorded: boolean): boolean {
    const now = said(update)
    const before = states.get(update.key)
    states.set(update.key, now)
    // What a state was when the page came is no news, unless it is bad.
    return before !== now && (recorded || before !== undefined || summary(update).severity !== 'info')
  }

  gap(gap: Gap): void {
    const lost = gap.lost === null ? 'Some events were lost' : `${gap.lost} events were lost`
    this.gaps += 1
    this.put({
      id: `gap#${this.gaps}`,
      at: gap.to,
      robot: gap.robot,
      kind: gap.kind ?? 'all kinds',
      part: null,
      severity: 'warning',
      words: `${lost}: ${gap.detail}`,
      frame: gap,
    })
  }

  /** What to show: what there was when it was held, or all of it. */
  read(): Entry[] {
    return this.held ?? this.lines
  }

  hold(on: boolean): void {
    if (on === (this.held !== null)) return
    this.held = on ? [...this.lines] : null
    this.fresh = 0
  }

  private put(entry: Entry): void {
    this.known.add(entry.id)
    // Events of before the page looked may come after newer ones.
    let at = this.lines.length
    while (at > 0 && (this.lines[at - 1]?.at ?? '') > entry.at) at -= 1
    this.lines.splice(at, 0, entry)
    if (this.held) this.fresh += 1
    while (this.lines.length > this.limit) {
      const gone = this.lines.shift()
      if (gone) this.known.delete(gone.id)
      this.dropped += 1
    }
  }
}

/** What a state says; a link that is tried again and again says the same. */
function said({ kind, data }: Update): string {
  return kind === 'link' ? `${data?.['state'] === 'up'} ${String(data?.['since'])}` : JSON.stringify(data)
}

export interface Wanted {
  search: string
  robot: string
  kind: string
  severity: string
}

export function wants(entry: Entry, { search, robot, kind, severity }: Wanted): boolean {
  if (robot !== '' && entry.robot !== robot) return false
  if (kind !== '' && entry.kind !== kind) return false
  if (severity === 'error' && entry.severity !== 'error') return false
  if (severity === 'warning' && entry.severity === 'info') return false
  const text = `${entry.robot} ${entry.kind} ${entry.part ?? ''} ${entry.words}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
