// Whether the simulated world stands still, in which its robots tell nothing new though nothing is wrong.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { simulated } from '../../live/gateway'
import { useWorldNow } from '../../live/world'

export const worldPaused = signal(false)

/** Keeps an eye on the world, if there is one. */
export const PauseWatch = () => (simulated.value ? <Watch /> : null)

function Watch() {
  const paused = useWorldNow('1s')?.paused === true
  useEffect(() => {
    worldPaused.value = paused
  }, [paused])
  useEffect(() => () => void (worldPaused.value = false), [])
  return null
}
