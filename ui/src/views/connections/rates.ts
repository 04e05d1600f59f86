// How much somebody gets in a second, from counts that only grow.

import type { Sink } from '../../api/types'

export const keyOf = (sink: Pick<Sink, 'dialect' | 'peer' | 'since'>) =>
  `${sink.dialect} ${sink.peer} ${sink.since}`

export class Rates {
  private before = new Map<string, { count: number; at: number }>()
  private now = new Map<string, number>()

  /** Takes all counts as they are at a time in milliseconds; what is missing is forgotten. */
  take(counts: [string, number][], at: number): void {
    const rates = new Map<string, number>()
    for (const [key, count] of counts) {
      const last = this.before.get(key)
      // A count that fell began anew.
      if (last && at > last.at && count >= last.count) {
        rates.set(key, ((count - last.count) * 1000) / (at - last.at))
      }
    }
    this.before = new Map(counts.map(([key, count]) => [key, { count, at }]))
    this.now = rates
  }

  /** `null` until there are two counts. */
  of(key: string): number | null {
    return this.now.get(key) ?? null
  }
}

export function rate(perSecond: number | null): string {
  if (perSecond === null) return '…'
  return perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond))
}

/** Bytes as a person reads them. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
