// Whether a value is published all the time or only when it changes, learnt from when it came.

const LAST = 12
const ENOUGH = 4
/** A pause this many times as long as usual breaks the rhythm. */
const UNEVEN = 5
const SELDOM = 4
const HOLE_MS = 4_000

export class Rhythm {
  private steps: number[] = []

  take(step_ms: number): void {
    this.steps.push(step_ms)
    if (this.steps.length > LAST) this.steps.shift()
  }

  /** After so long without a value there is a hole; never for what is published only when it changes. */
  limit(): number {
    const sorted = [...this.steps].sort((a, b) => a - b)
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
    const longest = sorted.at(-1) ?? 0
    const even = sorted.length >= ENOUGH && longest <= middle * UNEVEN
    return even ? Math.max(HOLE_MS, middle * SELDOM) : Infinity
  }
}
