// The room from above: where robots are and are heading, what they sense, and hands to move things.

import './map.css'

import { LayerPanel } from './LayerPanel'
import { LiveMap } from './LiveMap'
import { MapBar } from './MapBar'
import { layersOpen, selected } from './options'
import { RobotCard } from './RobotCard'
import { useScene } from './useScene'

export function MapView() {
  const sources = useScene()
  const robot = selected.value
  return (
    <div class="map">
      <h1 class="visually-hidden">Map</h1>
      <MapBar now={sources.now} />
      <div class="beside">
        <LiveMap sources={sources} />
        {(robot !== null || layersOpen.value) && (
          <div class="side">
            {robot !== null && (
              <RobotCard key={robot} robot={robot} now={sources.now} poses={sources.poses} />
            )}
            {layersOpen.value && <LayerPanel />}
          </div>
        )}
      </div>
    </div>
  )
}
