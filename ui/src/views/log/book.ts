// The lines of the log, bounded: new ones come, the oldest go, and it can be read while it is held.

import type { GapFrame, Update } from '../../api/types'
import type { Data } from '../../live/read'
import { type Severity, summary } from './summary'

export interface Entry {
  id: string
  at: string
  robot: string
  kind: string
  part: string | null
  severity: Severity
  words: string
  /** The message of the gateway. */
  frame: Update | GapFrame
}

export class Book {
  /** Oldest first. */
  private lines: Entry[] = []
  private held: Entry[] | null = null
  private readonly known = new Set<string>()
  /** The last values of states, so that only changes are listed. */
  private readonly states = new Map<string, string>()
  private readonly recorded = new Map<string, { said: string; received: string; sequence: number }>()
  /** How many came since the reader holds the log. */
  fresh = 0
  /** How many were let go. */
  dropped = 0
  private gaps = 0

  constructor(private readonly limit: number) {}

  /** Takes an update, if it tells something new; `recorded` are those that the gateway remembers. */
  take(update: Update, recorded = false): boolean {
    const { robot, kind, part, received } = update
    // A gateway that began anew counts from the beginning, so the number alone does not tell them apart.
    const id = `${update.key}#${update.sequence}@${received}`
    if (repeats(update) && !(recorded ? this.turned(update) : this.changed(update))) return false
    if (this.known.has(id) || this.isForgotten(received)) return false
    const told = summary(update, repeats(update) ? this.before(update) : undefined)
    this.put({ id, at: received, robot, kind, part, ...told, frame: update })
    return true
  }

  /** What the same key said in the line before it. */
  private before({ key, received }: Update): Data | undefined {
    for (let at = this.lines.length - 1; at >= 0; at -= 1) {
      const frame = this.lines[at]?.frame
      if (frame?.type === 'update' && frame.key === key && frame.received <= received) return frame.data
    }
    return undefined
  }

  /** Whether a state says something else than before. What it was when the page came is no news, unless bad. */
  private changed(update: Update): boolean {
    const now = said(update)
    const before = this.states.get(update.key)
    this.states.set(update.key, now)
    return before !== now && (before !== undefined || summary(update).severity !== 'info')
  }

  /** The same for what the gateway remembers, which is read again after each break, oldest first. */
  private turned(update: Update): boolean {
    const before = this.recorded.get(update.key)
    const { received, sequence } = update
    if (before && before.received > received) return false
    if (before?.received === received && before.sequence >= sequence) return false
    const now = said(update)
    this.recorded.set(update.key, { said: now, received, sequence })
    return before?.said !== now
  }

  /** Whether it is from before what a full log keeps. */
  private isForgotten(received: string): boolean {
    return this.lines.length >= this.limit && received < (this.lines[0]?.at ?? '')
  }

  gap(gap: GapFrame): void {
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

/** Events that robots send as long as they last: which hazards there are, and how far a drive has come. */
const LASTING = new Set(['hazard', 'navigation'])

/** Whether robots send it though nothing changed that a person would want to read. */
const repeats = (update: Update) => update.class !== 'event' || LASTING.has(update.kind)

/** What a state says; a link that is tried again and again says the same. */
function said(update: Update): string {
  const { kind, data } = update
  if (LASTING.has(kind)) return summary(update).words
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
