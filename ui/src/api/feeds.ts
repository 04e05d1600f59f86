// Feeds are shared: views that ask for the same get the same socket, and it outlives a change of view.

import { useEffect, useMemo } from 'preact/hooks'

import { Feed, type FeedRequest } from './feed'

/** How long a socket waits for the next view to want it. */
const LINGER_MS = 1_500

interface Entry {
  feed: Feed
  users: number
  timer: number
}

const feeds = new Map<string, Entry>()

export function acquire(request: FeedRequest): Feed {
  const url = Feed.url(request)
  let entry = feeds.get(url)
  if (!entry) {
    entry = { feed: new Feed(url), users: 0, timer: 0 }
    feeds.set(url, entry)
  }
  window.clearTimeout(entry.timer)
  entry.users += 1
  return entry.feed
}

export function release(request: FeedRequest): void {
  const url = Feed.url(request)
  const entry = feeds.get(url)
  if (!entry) return
  entry.users -= 1
  if (entry.users > 0) return
  entry.timer = window.setTimeout(() => {
    feeds.delete(url)
    entry.feed.close()
  }, LINGER_MS)
}

/** A feed for as long as a component is there. Read `feed.tick.value` to be drawn with each batch. */
export function useFeed(request: FeedRequest): Feed {
  const url = Feed.url(request)
  const feed = useMemo(() => {
    const shared = acquire(request)
    release(request)
    return shared
  }, [url])
  useEffect(() => {
    acquire(request)
    return () => release(request)
  }, [url])
  return feed
}

/** What all feeds together brought, for the page's own account of itself. */
export function traffic(): { bytes: number; messages: number; updates: number; sockets: number } {
  const sum = { bytes: 0, messages: 0, updates: 0, sockets: feeds.size }
  for (const { feed } of feeds.values()) {
    sum.bytes += feed.traffic.bytes
    sum.messages += feed.traffic.messages
    sum.updates += feed.traffic.updates
  }
  return sum
}
