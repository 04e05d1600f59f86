// The map by itself: what moves, drawn all the time, with hands in it. Views put their own panels around it.

import './livemap.css'

import { useEffect, useState } from 'preact/hooks'

import type { Feed } from '../../api/feed'
import { reach, robots, simulated } from '../../live/gateway'
import { world } from '../../live/world'
import { Empty } from '../../parts/Empty'
import { say } from '../../parts/toast'
import { useActions } from './actions'
import { MapCanvas } from './MapCanvas'
import { placing, solid } from './options'
import { believed } from './scene'
import { ThingCard } from './ThingCard'
import type { SolidMap as SolidMapOf } from './solid/SolidMap'
import type { Sources } from './useScene'

export function LiveMap({ sources: { poses, scene, ownMap } }: { sources: Sources }) {
  useEffect(() => {
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || placing.value === null) return
      placing.value = null
      event.preventDefault()
    }
    // Before the emergency stop sees the key.
    window.addEventListener('keydown', cancel, true)
    return () => {
      window.removeEventListener('keydown', cancel, true)
      placing.value = null
    }
  }, [])
  const actions = useActions()
  const SolidMap = useSolidMap()
  const count = robots.value.length
  const label = `Map${world.value ? ` of ${world.value.name}` : ''} with ${count} robots. Arrow keys move it, plus and minus scale it, 0 shows all.`
  return (
    <div class="livemap">
      {solid.value && SolidMap ? (
        <SolidMap scene={scene} actions={actions} label={label} />
      ) : (
        <MapCanvas scene={scene} ownMap={ownMap} actions={actions} label={label} />
      )}
      <Nowhere poses={poses} />
      <ThingCard />
    </div>
  )
}

/** The 3-D view once it is wanted and loaded: its library is larger than all the rest of the page. */
function useSolidMap(): typeof SolidMapOf | null {
  const [part, setPart] = useState<{ view: typeof SolidMapOf } | null>(null)
  const wanted = solid.value
  useEffect(() => {
    if (!wanted) return
    import('./solid/SolidMap').then(
      ({ SolidMap }) => setPart({ view: SolidMap }),
      () => {
        say('The 3-D view could not be loaded', true)
        solid.value = false
      },
    )
  }, [wanted])
  return part?.view ?? null
}

/** Why the map is empty, if it is. */
function Nowhere({ poses }: { poses: Feed }) {
  poses.watch()
  if (simulated.value || reach.value !== 'up' || believed(poses).length > 0) return null
  return (
    <div class="nowhere">
      <Empty title="No robot says where it is on a map">
        There is no simulated world here. Robots show on the map as soon as they know their place on it; a
        pose in a frame of their own, such as odom, is on their own page.
      </Empty>
    </div>
  )
}
