// H.264 with start codes: where its units are, and what its parameter set says of the decoder.

const PARAMETERS = 7
const KEY_PICTURE = 5

/** Type and place of every unit. */
export function units(data: Uint8Array): { type: number; start: number }[] {
  const found: { type: number; start: number }[] = []
  for (let at = 0; at + 3 < data.length; at++) {
    if (data[at] === 0 && data[at + 1] === 0 && data[at + 2] === 1) {
      found.push({ type: (data[at + 3] ?? 0) & 0x1f, start: at + 3 })
      at += 3
    }
  }
  return found
}

/** The name of the codec as decoders want it, from the parameter set; `null` if there is none. */
export function codecOf(data: Uint8Array): string | null {
  const set = units(data).find((unit) => unit.type === PARAMETERS)
  if (!set || set.start + 3 >= data.length) return null
  const hex = (offset: number) => (data[set.start + offset] ?? 0).toString(16).padStart(2, '0')
  return `avc1.${hex(1)}${hex(2)}${hex(3)}`
}

/** Whether decoding can begin with it. */
export function isKey(data: Uint8Array): boolean {
  const types = units(data).map((unit) => unit.type)
  return types.includes(KEY_PICTURE) && types.includes(PARAMETERS)
}

/** Which frames a decoder may be given: from a key frame on, until one is missing. */
export class Order {
  private expected: number | null = null
  /** How often a frame was missing. */
  losses = 0

  /** Whether this frame can be decoded after those before. */
  take(sequence: number, key: boolean): boolean {
    if (key) {
      if (this.expected !== null && sequence !== this.expected) this.losses += 1
      this.expected = sequence + 1
      return true
    }
    if (this.expected === null) return false
    if (sequence !== this.expected) {
      this.losses += 1
      this.expected = null
      return false
    }
    this.expected = sequence + 1
    return true
  }

  /** Decoding begins anew. */
  reset(): void {
    this.expected = null
  }
}
