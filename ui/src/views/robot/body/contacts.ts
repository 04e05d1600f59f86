// Bumpers and touch sensors tell only changes, so the page keeps the last word of each.

import { useEffect, useState } from 'preact/hooks'

import type { Feed } from '../../../api/feed'
import { get } from '../../../api/http'
import type { Update } from '../../../api/types'

const KEPT = 500
const ASKED = 100

const last = new Map<string, Update>()

function keep(update: Update): void {
  if (update.kind !== 'contact') return
  const known = last.get(update.key)
  if (known && known.received > update.received) return
  last.delete(update.key)
  last.set(update.key, update)
  const oldest = last.keys().next()
  if (last.size > KEPT && !oldest.done) last.delete(oldest.value)
}

/** Contacts of a robot, kept up to date from a feed; what came before is asked for, once more when the feed is open. */
export function useContacts(robot: string, feed: Feed): (part: string) => Update | undefined {
  const [, redraw] = useState(0)
  const state = feed.state.value
  useEffect(() => {
    let here = true
    void get<{ updates: Update[] }>(`/api/v1/events?select=${robot}/contact/**&n=${ASKED}`)
      .then(({ updates }) => updates.forEach(keep))
      .then(() => here && redraw((count) => count + 1))
      .catch(() => undefined)
    const off = feed.listen(keep)
    return () => {
      here = false
      off()
    }
  }, [robot, feed, state])
  return (part) => last.get(`${robot}/contact/${part}`)
}
