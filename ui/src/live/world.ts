// The simulated world: what moves in it, as a stream; what stands in it, read again when it changes.

import { effect, signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

import { get } from '../api/http'
import { end } from '../api/socket'
import type { World, WorldNow } from '../api/types'
import { simulated } from './gateway'

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
    if (!simulated.value) return
    const socket = new WebSocket(`/api/v1/world/stream?every=${this.every}`)
    this.socket = socket
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as { type: string } & WorldNow
      if (message.type !== 'world') return
      this.now.value = message
      if (world.value?.revision !== message.revision) void readWorld()
    }
    socket.onclose = () => {
      if (this.users > 0 && simulated.value) this.timer = window.setTimeout(() => this.start(), RETRY_MS)
    }
  }

  restart(): void {
    this.stop()
    this.start()
  }

  stop(): void {
    window.clearTimeout(this.timer)
    if (this.socket) this.socket.onclose = null
    end(this.socket)
    this.socket = null
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

// A gateway that comes back may have a world or none.
effect(() => {
  if (simulated.value) {
    for (const feed of feeds.values()) if (feed.users > 0) feed.restart()
  } else {
    world.value = null
    for (const feed of feeds.values()) feed.now.value = null
  }
})

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
