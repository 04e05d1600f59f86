// One line of a chart: which number of which key it follows, and what it is called.

import type { Samples } from '../../../api/types'
import { field, words } from '../../../live/read'
import { drawable } from './fields'
import { History } from './history'
import { Rhythm } from './rhythm'

export interface SeriesSpec {
  kind: string
  /** A part; `null` for a kind without one; `*` for the least of all parts. */
  part: string | null
  /** A field, or a field within a record by dots. */
  path: string
  unit: string | null
}

export const LEAST = '*'

/** A value that holds is drawn on this often. */
const HELD_MS = 900
/** The same of what the gateway kept, a sample a second. */
const SAMPLED_MS = 1_500
/** Values of parts that are older do not count among the least. */
const OLD_MS = 2_000

export const idOf = (spec: SeriesSpec) => `${spec.kind}/${spec.part ?? ''}/${spec.path}`

export function nameOf(spec: SeriesSpec): string {
  const what = words(spec.path.replaceAll('.', ' ').replace(/_(m|rad|mps|radps|mps2|v|a|c|s|ratio|hz)$/, ''))
  const where =
    spec.part === LEAST ? ', least of all' : spec.part ? `, ${spec.part.replaceAll('_', ' ')}` : ''
  return `${words(spec.kind)}${where}: ${what.toLowerCase()}`
}

export class Series {
  readonly history = new History()
  private parts = new Map<string, { at: number; value: number }>()
  private rhythm = new Rhythm()
  private last: { at: number; value: number | null } | null = null

  constructor(readonly spec: SeriesSpec) {}

  /** Whether it takes what comes; not while its past is asked for, which comes first. */
  ready = false

  follows(kind: string, part: string | null): boolean {
    return this.ready && kind === this.spec.kind && (this.spec.part === LEAST || this.spec.part === part)
  }

  /** Takes what the gateway kept; its clock is ahead of the page's by `ahead_ms`. */
  past(samples: Samples[], ahead_ms: number): void {
    const points = samples.flatMap(({ part, at_ms, fields }) =>
      at_ms.map((at, index) => ({ at: at - ahead_ms, part, value: fields[this.spec.path]?.[index] ?? null })),
    )
    points.sort((a, b) => a.at - b.at)
    for (const { at, part, value } of points) this.put(at, part, value, SAMPLED_MS)
  }

  take(at: number, part: string | null, data: Record<string, unknown> | undefined): void {
    const trusted = this.spec.kind !== 'range' || data?.['status'] === undefined || data['status'] === 'valid'
    const value = drawable(field(data, this.spec.path))
    this.put(at, part, this.spec.part === LEAST && !trusted ? null : value, HELD_MS)
  }

  private put(at: number, part: string | null, given: number | null, held_ms: number): void {
    const value = this.spec.part === LEAST ? this.least(at, part ?? '', given) : given
    if (this.last) {
      const step = at - this.last.at
      if (step > this.rhythm.limit()) this.history.break(this.last.at + 1)
      // What held until now is a step, not a slope.
      else if (step > held_ms && this.last.value !== null) this.history.push(at - 1, this.last.value)
      this.rhythm.take(step)
    }
    this.last = { at, value }
    if (value === null) this.history.break(at)
    else this.history.push(at, value)
  }

  /** Nothing came: the line ends if that lasted too long for its rhythm, and goes on if the value holds. */
  silence(at: number): void {
    if (!this.last) return
    const limit = this.rhythm.limit()
    if (at - this.last.at > limit) this.history.break(this.last.at + 1)
    else if (limit === Infinity && this.last.value !== null) this.history.push(at, this.last.value)
  }

  /** The line to the robot or the gateway is gone. */
  lost(at: number): void {
    this.history.break(at)
    this.parts.clear()
    this.last = null
  }

  private least(at: number, part: string, value: number | null): number | null {
    if (value === null) this.parts.delete(part)
    else this.parts.set(part, { at, value })
    let least = Infinity
    for (const known of this.parts.values()) if (at - known.at < OLD_MS) least = Math.min(least, known.value)
    return least === Infinity ? null : least
  }
}
