// Plays pieces of sound one after the other, a little late so that the line may stutter.

const LEAD_S = 0.12
/** Farther behind than this, what waits is dropped. */
const MOST_S = 0.6

export class Player {
  private readonly context = new AudioContext()
  private next = 0

  play(channels: Float32Array<ArrayBuffer>[], rate_hz: number): void {
    const length = channels[0]?.length ?? 0
    if (length === 0 || this.context.state === 'closed') return
    const now = this.context.currentTime
    if (this.next < now) this.next = now + LEAD_S
    if (this.next > now + MOST_S) return
    const buffer = this.context.createBuffer(channels.length, length, rate_hz)
    channels.forEach((samples, at) => buffer.copyToChannel(samples, at))
    const source = this.context.createBufferSource()
    source.buffer = buffer
    source.connect(this.context.destination)
    source.start(this.next)
    this.next += buffer.duration
  }

  close(): void {
    if (this.context.state !== 'closed') void this.context.close()
  }
}
