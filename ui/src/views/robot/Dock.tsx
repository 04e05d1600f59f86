// What is always in sight, whatever part of the robot's page is looked at: driving, stopping, and where there is room
// the pictures.

import { Cameras } from './cameras/Cameras'
import { Drive } from './drive/Drive'
import type { Shown } from './robotFeed'
import { useWide } from './useWide'

export function Dock(shown: Shown) {
  return (
    <aside class="dock" aria-label={`Drive and stop ${shown.robot.robot}`}>
      <Drive {...shown} />
      {useWide() && <Cameras {...shown} />}
    </aside>
  )
}
