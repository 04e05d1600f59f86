// Decodes H.264 in the browser: begins with a key frame, and again after a loss.

import { type Data, bool, number } from '../../../live/read'
import { codecOf, Order } from './annexb'
import { bytes64, put } from './canvas'
import type { Painter, Told } from './painter'

/** More frames than these waiting in the decoder are too many. */
const MOST_WAITING = 8

export class VideoPainter implements Painter {
  private decoder: VideoDecoder | null = null
  private codec = ''
  private readonly order = new Order()
  private broken = false

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly report: Told,
  ) {
    if (!('VideoDecoder' in window)) {
      this.broken = true
      report.cannot('This browser cannot decode video.')
    } else report.problem('Waiting for a key frame…')
  }

  take(data: Data): void {
    if (this.broken) return
    const bytes = bytes64(data, 'data')
    const sequence = number(data, 'sequence')
    if (!bytes || sequence === null) return
    const key = bool(data, 'key_frame') === true
    if (!this.order.take(sequence, key)) {
      this.report.problem('A frame is missing; waiting for the next key frame…')
      return
    }
    if (key && !this.begin(bytes)) return
    if (!this.decoder || this.decoder.state !== 'configured') return
    if (this.decoder.decodeQueueSize > MOST_WAITING) {
      this.order.reset()
      return
    }
    this.decoder.decode(
      new EncodedVideoChunk({
        type: key ? 'key' : 'delta',
        timestamp: performance.now() * 1000,
        data: bytes,
      }),
    )
  }

  close(): void {
    this.broken = true
    if (this.decoder && this.decoder.state !== 'closed') this.decoder.close()
    this.decoder = null
  }

  /** Sets the decoder up for a key frame, anew if the codec changed or it failed. */
  private begin(bytes: Uint8Array): boolean {
    const codec = codecOf(bytes)
    if (codec === null) {
      this.report.problem('The video has no parameter set')
      return false
    }
    if (this.decoder?.state === 'configured' && codec === this.codec) return true
    if (this.decoder && this.decoder.state !== 'closed') this.decoder.close()
    this.codec = codec
    this.decoder = new VideoDecoder({
      output: (frame) => {
        put(this.canvas, frame, frame.displayWidth, frame.displayHeight)
        this.report.drawn(frame.displayWidth, frame.displayHeight)
        frame.close()
      },
      error: (error) => {
        this.order.reset()
        this.decoder = null
        if (!this.broken) this.tell(codec, error)
      },
    })
    try {
      this.decoder.configure({ codec, optimizeForLatency: true })
      return true
    } catch (error) {
      this.tell(codec, error)
      this.decoder = null
      return false
    }
  }

  private tell(codec: string, error: unknown): void {
    if (error instanceof DOMException && error.name === 'NotSupportedError') {
      this.report.cannot(`This browser cannot decode ${codec} video.`)
    } else {
      this.report.problem(
        `The video cannot be decoded: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
