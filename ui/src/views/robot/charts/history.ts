// What a value was over the last hour, in bounded memory.
//
//   push ──▶ fine: every point, the last ones (2048)
//      └───▶ coarse: least and greatest of each 2 s, an hour of them (4096)
//
// A hole in the data is a point whose value is NaN.

const FINE = 2048
const COARSE = 4096
const BUCKET_MS = 2_000

/** The last points of a line, oldest first. */
export class Ring {
  private readonly at: Float64Array
  private readonly value: Float32Array
  private start = 0
  length = 0

  constructor(readonly capacity: number) {
    this.at = new Float64Array(capacity)
    this.value = new Float32Array(capacity)
  }

  push(at: number, value: number): void {
    const place = (this.start + this.length) % this.capacity
    this.at[place] = at
    this.value[place] = value
    if (this.length < this.capacity) this.length += 1
    else this.start = (this.start + 1) % this.capacity
  }

  time(index: number): number {
    return this.at[(this.start + index) % this.capacity] ?? NaN
  }

  get(index: number): number {
    return this.value[(this.start + index) % this.capacity] ?? NaN
  }

  /** The first point at or after a time. */
  firstFrom(at: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.time(middle) < at) low = middle + 1
      else high = middle
    }
    return low
  }
}

export class History {
  private readonly fine = new Ring(FINE)
  private readonly coarse = new Ring(COARSE)
  private bucket = -1
  private least = { at: 0, value: NaN }
  private greatest = { at: 0, value: NaN }
  private last = 0
  private hole = true

  /** Takes a value; times only grow. */
  push(at: number, value: number): void {
    if (at <= this.last) return
    this.last = at
    this.hole = Number.isNaN(value)
    this.fine.push(at, value)
    const bucket = Math.floor(at / BUCKET_MS)
    if (bucket !== this.bucket || this.hole) this.flush()
    this.bucket = bucket
    if (this.hole) {
      this.coarse.push(at, NaN)
      return
    }
    if (!(this.least.value <= value)) this.least = { at, value }
    if (!(this.greatest.value >= value)) this.greatest = { at, value }
  }

  /** Tells that nothing is known from here on, once. */
  break(at: number): void {
    if (!this.hole) this.push(at, NaN)
  }

  /** The line from a time on: all points as far as they are kept, before that the coarse ones. */
  since(from: number): { at: number[]; value: (number | null)[] } {
    const at: number[] = []
    const value: (number | null)[] = []
    const take = (ring: Ring, first: number, before: number) => {
      for (let index = first; index < ring.length && ring.time(index) < before; index++) {
        const given = ring.get(index)
        at.push(ring.time(index))
        value.push(Number.isNaN(given) ? null : given)
      }
    }
    const fineFrom = this.fine.length > 0 ? this.fine.time(0) : Infinity
    if (fineFrom > from) take(this.coarse, this.coarse.firstFrom(from), fineFrom)
    take(this.fine, this.fine.firstFrom(from), Infinity)
    return { at, value }
  }

  private flush(): void {
    const { least, greatest } = this
    if (!Number.isNaN(least.value)) {
      const [first, second] = least.at <= greatest.at ? [least, greatest] : [greatest, least]
      this.coarse.push(first.at, first.value)
      if (second.at > first.at) this.coarse.push(second.at, second.value)
    }
    this.least = { at: 0, value: NaN }
    this.greatest = { at: 0, value: NaN }
  }
}
