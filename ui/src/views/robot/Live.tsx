// What the robot is and does now, in columns: its body, its senses and ways, what to ask of it.

import { Body } from './body/Body'
import type { Shown } from './robotFeed'

export function Live(shown: Shown) {
  return (
    <div class="live">
      <div class="column">
        <Body {...shown} />
      </div>
    </div>
  )
}
