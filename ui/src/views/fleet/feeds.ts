// What the fleet's rows are made of: the last records of every robot, by kind.

import { useEffect } from 'preact/hooks'

import type { Feed } from '../../api/feed'
import { useFeed } from '../../api/feeds'
import { get } from '../../api/http'
import type { Update } from '../../api/types'
import type { Said } from './condition'

const STATES = ['battery', 'control', 'alerts', 'velocity', 'range']
const EVENTS = ['task', 'navigation', 'hazard']
const every = (kinds: string[]) => kinds.map((kind) => `*/${kind}/**`).join(',')

export interface FleetFeeds {
  states: Feed
  events: Feed
}

export function useFleetFeeds(): FleetFeeds {
  const states = useFeed({ select: every(STATES), every: '500ms', batch: '500ms' })
  const events = useFeed({ select: every(EVENTS), batch: '250ms' })
  useEarlier(events)
  return { states, events }
}

/** The last records of one robot. */
export function saidBy({ states, events }: FleetFeeds, robot: string): Said {
  return (kind, part) => {
    const key = part === undefined ? `${robot}/${kind}` : `${robot}/${kind}/${part}`
    return (states.values.get(key) ?? events.values.get(key))?.update.data
  }
}

/** Events are over when one comes late: the last ones are read once a connection. */
function useEarlier(events: Feed): void {
  const open = events.state.value === 'open'
  useEffect(() => {
    if (!open) return
    get<{ updates: Update[] }>(`/api/v1/last?select=${encodeURIComponent(every(EVENTS))}`)
      .then(({ updates }) => {
        for (const update of updates) {
          if (!events.values.has(update.key)) events.values.set(update.key, { update, at: performance.now() })
        }
        events.tick.value += 1
      })
      .catch(() => undefined) // The gateway went again; the feed says so.
  }, [events, open])
}
