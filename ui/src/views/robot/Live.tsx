// What the robot is and does now, in columns: its body, its senses and ways, what to ask of it.

import { Ask } from './ask/Ask'
import { Audio } from './audio/Audio'
import { Body } from './body/Body'
import { Cameras } from './cameras/Cameras'
import { Drive } from './drive/Drive'
import { Joints } from './joints/Joints'
import { Motion } from './motion/Motion'
import type { Shown } from './robotFeed'

export function Live(shown: Shown) {
  return (
    <div class="live">
      <div class="column">
        <Body {...shown} />
        <Joints {...shown} />
      </div>
      <div class="column">
        <Cameras {...shown} />
        <Drive {...shown} />
        <Motion {...shown} />
      </div>
      <div class="column">
        <Ask {...shown} />
        <Audio {...shown} />
      </div>
    </div>
  )
}
