// One line of a chart: which number of which key it follows, and what it is called.

import { field, words } from '../../../live/read'
import { drawable } from './fields'
import { History } from './history'

export interface SeriesSpec {
  kind: string
  /** A part; `null` for a kind without one; `*` for the least of all parts. */
  part: string | null
  /** A field, or a field within a record by dots. */
  path: string
  unit: string | null
}

export const LEAST = '*'

/** After so long without a value the line has a hole, unless values come seldom anyhow. */
const HOLE_MS = 4_000
const SELDOM = 4
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
  private last = 0
  private usual = 0

  constructor(readonly spec: SeriesSpec) {}

  follows(kind: string, part: string | null): boolean {
    return kind === this.spec.kind && (this.spec.part === LEAST || this.spec.part === part)
  }

  take(at: number, part: string | null, data: Record<string, unknown> | undefined): void {
    let value = drawable(field(data, this.spec.path))
    const trusted = this.spec.kind !== 'range' || data?.['status'] === undefined || data['status'] === 'valid'
    if (this.spec.part === LEAST) value = this.least(at, part ?? '', trusted ? value : null)
    if (this.last > 0) {
      const step = at - this.last
      if (step > this.limit()) this.history.break(this.last + 1)
      this.usual = this.usual === 0 ? step : this.usual * 0.9 + step * 0.1
    }
    this.last = at
    if (value === null) this.history.break(at)
    else this.history.push(at, value)
  }

  /** Nothing came: the line ends if that lasted too long. */
  silence(at: number): void {
    if (this.last > 0 && at - this.last > this.limit()) this.history.break(this.last + 1)
  }

  /** The line to the robot or the gateway is gone. */
  lost(at: number): void {
    this.history.break(at)
    this.parts.clear()
    this.last = 0
  }

  private limit(): number {
    return Math.max(HOLE_MS, this.usual * SELDOM)
  }

  private least(at: number, part: string, value: number | null): number | null {
    if (value === null) this.parts.delete(part)
    else this.parts.set(part, { at, value })
    let least = Infinity
    for (const known of this.parts.values()) if (at - known.at < OLD_MS) least = Math.min(least, known.value)
    return least === Infinity ? null : least
  }
}
