// Bytes and pixels as the browser wants them.

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** Raw pixels with an opaque fourth channel; `null` if there are fewer bytes than the size asks for. */
export function rgba(
  encoding: string,
  width: number,
  height: number,
  bytes: Uint8Array,
): Uint8ClampedArray<ArrayBuffer> | null {
  const step = encoding === 'mono8' ? 1 : encoding === 'rgb8' ? 3 : 0
  const count = width * height
  if (step === 0 || count === 0 || bytes.length < count * step) return null
  const out = new Uint8ClampedArray(count * 4)
  for (let from = 0, to = 0; to < out.length; from += step, to += 4) {
    out[to] = bytes[from] ?? 0
    out[to + 1] = bytes[step === 1 ? from : from + 1] ?? 0
    out[to + 2] = bytes[step === 1 ? from : from + 2] ?? 0
    out[to + 3] = 255
  }
  return out
}
