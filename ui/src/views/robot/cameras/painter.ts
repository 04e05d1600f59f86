// Draws what a camera says onto a canvas, whichever way it says it.

import { type Data, number, text } from '../../../live/read'
import { bytes64, put } from './canvas'
import { rgba } from './pixels'
import { VideoPainter } from './video'

export interface Painter {
  /** Takes the newest update. */
  take(data: Data): void
  close(): void
}

/** What a painter tells: a picture was drawn, why there is none yet, or why there never will be. */
export interface Told {
  drawn: (width: number, height: number) => void
  problem: (text: string | null) => void
  cannot: (text: string) => void
}

export function painterFor(kind: string, canvas: HTMLCanvasElement, report: Told): Painter {
  if (kind === 'video') return new VideoPainter(canvas, report)
  return kind === 'image' ? rawPainter(canvas, report) : filePainter(canvas, report)
}

function rawPainter(canvas: HTMLCanvasElement, report: Told): Painter {
  return {
    take(data) {
      const width = number(data, 'width') ?? 0
      const height = number(data, 'height') ?? 0
      const bytes = bytes64(data, 'data')
      const pixels = bytes && rgba(text(data, 'encoding') ?? '', width, height, bytes)
      if (!pixels) {
        report.problem(`The picture cannot be read (${text(data, 'encoding') ?? 'no encoding'})`)
        return
      }
      put(canvas, new ImageData(pixels, width, height), width, height)
      report.drawn(width, height)
    },
    close: () => undefined,
  }
}

function filePainter(canvas: HTMLCanvasElement, report: Told): Painter {
  let busy = false
  let closed = false
  return {
    take(data) {
      // A slow browser leaves pictures out rather than fall behind.
      if (busy) return
      const bytes = bytes64(data, 'data')
      if (!bytes) {
        report.problem('The picture has no bytes')
        return
      }
      busy = true
      const type = `image/${text(data, 'format') ?? 'jpeg'}`
      createImageBitmap(new Blob([bytes], { type }))
        .then((bitmap) => {
          if (!closed) {
            put(canvas, bitmap, bitmap.width, bitmap.height)
            report.drawn(bitmap.width, bitmap.height)
          }
          bitmap.close()
        })
        .catch(() => !closed && report.problem(`The browser cannot read this ${type} picture`))
        .finally(() => (busy = false))
    },
    close: () => (closed = true),
  }
}
