// Pictures in and out: bytes of a field, and onto a canvas of the picture's own size.

import { type Data, text } from '../../../live/read'
import { bytesOf } from './pixels'

export function put(
  canvas: HTMLCanvasElement,
  picture: CanvasImageSource | ImageData,
  width: number,
  height: number,
): void {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
  const context = canvas.getContext('2d')
  if (picture instanceof ImageData) context?.putImageData(picture, 0, 0)
  else context?.drawImage(picture, 0, 0, width, height)
}

/** Bytes of a field; `null` if they were not sent. */
export function bytes64(data: Data, name: string): Uint8Array<ArrayBuffer> | null {
  const given = text(data, name)
  if (given === null || given === '' || given.startsWith('<')) return null
  try {
    return bytesOf(given)
  } catch {
    return null
  }
}
