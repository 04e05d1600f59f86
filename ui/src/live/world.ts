// The simulated world: what moves in it, as a stream; what stands in it, read again when it changes.

import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

import { get } from '../api/http'
import type { World, WorldNow } from '../api/types'

const RETRY_MS = 1_000

/** What stands in the world. */
export const world = signal<World | null>(null)

class WorldFeed {
  readonly now = signal<WorldNow | null>(null)
  users = 0
  private socket: WebSocket | null = null
  private timer = 0

  constructor(private readonly every: string) {}

  start(): void {
    const socket = new WebSocket(`/api/v1/world/stream?every=${this.every}`)
    this.socket = socket
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as { type: string } & WorldNow
      if (message.type !== 'world') return
      this.now.value = message
      if (world.value?.revision !== message.revision) void readWorld()
    }
    socket.onclose = () => {
      if (this.users > 0) this.timer = window.setTimeout(() => this.start(), RETRY_MS)
    }
  }

  stop(): void {
    window.clearTimeout(this.timer)
    this.socket?.close()
  }
}

let reading = false

/** Reads the whole world, once at a time. */
export async function readWorld(): Promise<void> {
  if (reading) return
  reading = true
  try {
    world.value = await get<World>('/api/v1/world')
  } catch {
    world.value = null
  } finally {
    reading = false
  }
}

const feeds = new Map<string, WorldFeed>()

/** The moving part of the world as a signal, for as long as the component is there. */
export function useWorldFeed(every: string) {
  const [feed] = useState(() => {
    const known = feeds.get(every) ?? new WorldFeed(every)
    feeds.set(every, known)
    return known
  })
  useEffect(() => {
    if (feed.users++ === 0) feed.start()
    return () => {
      if (--feed.users === 0) feed.stop()
    }
  }, [feed])
  return feed.now
}

export const useWorldNow = (every: string) => useWorldFeed(every).value
