// How many a second, over the last two seconds.

const OVER_MS = 2_000

export class Rate {
  private times: number[] = []

  count(now: number): void {
    this.times.push(now)
    while ((this.times[0] ?? now) < now - OVER_MS) this.times.shift()
  }

  perSecond(now: number): number {
    return this.times.filter((at) => at >= now - OVER_MS).length / (OVER_MS / 1000)
  }
}
