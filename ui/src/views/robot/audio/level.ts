// How loud a piece of sound is: samples of 16 bits with sign, lower byte first, channels in turn.

export interface Level {
  /** Root of the mean square, 0..1. */
  rms: number
  /** Greatest deviation, 0..1. */
  peak: number
}

const FULL = 32_768

/** Samples of each channel, -1..1. */
export function channelsOf(bytes: Uint8Array, channels: number): Float32Array<ArrayBuffer>[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = channels > 0 ? Math.floor(bytes.length / 2 / channels) : 0
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(count)
    for (let at = 0; at < count; at++) samples[at] = view.getInt16((at * channels + channel) * 2, true) / FULL
    return samples
  })
}

export function levelOf(samples: Float32Array): Level {
  let sum = 0
  let peak = 0
  for (const sample of samples) {
    sum += sample * sample
    peak = Math.max(peak, Math.abs(sample))
  }
  return { rms: samples.length > 0 ? Math.sqrt(sum / samples.length) : 0, peak }
}

/** Quietest level that the meter shows: about the smallest step of 16 bits. */
export const FLOOR_DB = -90
/** What is written below the meter. */
export const SCALE_DB = [-90, -60, -30, 0]
/** A peak is shown for so long, since a single one is over before it is seen. */
export const HOLD_MS = 1_500

export const decibels = (level: number) => Math.max(FLOOR_DB, 20 * Math.log10(Math.max(level, 1e-9)))

/** Where a level is on the meter, 0..1. */
export const onMeter = (level: number) => 1 - decibels(level) / FLOOR_DB

/** The greatest level of late. */
export class Peak {
  private level = 0
  private at = -Infinity

  take(level: number, now: number): number {
    if (level >= this.level || now - this.at > HOLD_MS) {
      this.level = level
      this.at = now
    }
    return this.level
  }
}
