// One subscription as a live table of the newest updates by key.
//
//   connecting ──open──▶ open ──closed──▶ lost ──after a pause──▶ connecting …
//
// The gateway sends one batch a frame at most, and after a reconnection the last values at once. What was
// known before stays visible, as lost, until the new values come.

import { signal } from '@preact/signals'

import { end } from './socket'
import type { Frame, GapFrame, Update } from './types'

const FIRST_PAUSE_MS = 400
const LONGEST_PAUSE_MS = 5_000

export interface FeedRequest {
  select: string
  every?: string
  where?: string[]
  pick?: string
  as?: string
  native?: boolean
  bytes?: 'base64'
  batch?: string
  /** The frame that coordinates come in. */
  in?: string | undefined
}

/** An update with the time at which this page got it. */
export interface Known {
  update: Update
  at: number
}

export type Listener = (update: Update) => void

export class Feed {
  /** Newest update of each key. */
  readonly values = new Map<string, Known>()
  /** Grows with each batch; read it to be drawn again. */
  readonly tick = signal(0)
  readonly state = signal<'connecting' | 'open' | 'lost'>('connecting')
  /** Why the gateway refuses, if it does. */
  readonly error = signal<string | null>(null)
  /** Bytes and messages, for the page's own account of itself. */
  readonly traffic = { bytes: 0, messages: 0, updates: 0 }
  private listeners = new Set<Listener>()
  private gapListeners = new Set<(gap: GapFrame) => void>()
  private socket: WebSocket | null = null
  private pause = FIRST_PAUSE_MS
  private timer = 0
  private fresh = true
  private closed = false

  constructor(private readonly url: string) {
    this.open()
  }

  static url(request: FeedRequest): string {
    const params = new URLSearchParams({ select: request.select, batch: request.batch ?? '33ms' })
    if (request.every) params.set('every', request.every)
    for (const condition of request.where ?? []) params.append('where', condition)
    if (request.pick) params.set('pick', request.pick)
    if (request.as) params.set('as', request.as)
    if (request.native) params.set('native', 'true')
    if (request.bytes) params.set('bytes', request.bytes)
    if (request.in) params.set('in', request.in)
    return `/api/v1/stream?${params.toString()}`
  }

  /** Has the component that calls this drawn anew with each batch. */
  watch(): number {
    return this.tick.value
  }

  /** Calls for every update, also for those that a newer one replaces at once. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  onGap(listener: (gap: GapFrame) => void): () => void {
    this.gapListeners.add(listener)
    return () => this.gapListeners.delete(listener)
  }

  close(): void {
    this.closed = true
    window.clearTimeout(this.timer)
    end(this.socket)
  }

  private open(): void {
    const socket = new WebSocket(this.url)
    this.socket = socket
    socket.onopen = () => {
      this.fresh = true
      this.pause = FIRST_PAUSE_MS
      this.state.value = 'open'
      this.error.value = null
    }
    socket.onmessage = (event: MessageEvent<string>) => this.take(event.data)
    socket.onclose = () => {
      if (this.closed) return
      this.state.value = 'lost'
      this.timer = window.setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2))
      this.pause = Math.min(this.pause * 1.7, LONGEST_PAUSE_MS)
    }
  }

  private take(text: string): void {
    const message = JSON.parse(text) as Frame
    this.traffic.bytes += text.length
    this.traffic.messages += 1
    if (this.fresh) {
      this.values.clear()
      this.fresh = false
    }
    const frames = message.type === 'batch' ? message.frames : [message]
    const at = performance.now()
    for (const frame of frames) {
      if (frame.type === 'update') {
        this.traffic.updates += 1
        this.values.set(frame.key, { update: frame, at })
        for (const listener of this.listeners) listener(frame)
      } else if (frame.type === 'gap') {
        for (const listener of this.gapListeners) listener(frame)
      } else {
        this.error.value = frame.detail
      }
    }
    this.tick.value += 1
  }
}
