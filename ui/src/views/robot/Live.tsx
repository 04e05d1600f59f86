// What the robot is and does now: its body and surroundings, then its senses and ways, and what to ask of it.

import { Ask } from './ask/Ask'
import { Audio } from './audio/Audio'
import { Body } from './body/Body'
import { Cameras } from './cameras/Cameras'
import { Joints } from './joints/Joints'
import { More } from './more/More'
import { Motion } from './motion/Motion'
import type { Shown } from './robotFeed'
import { useWide } from './useWide'

export function Live(shown: Shown) {
  return (
    <div class="live">
      <Body {...shown} />
      {!useWide() && <Cameras {...shown} />}
      <div class="columns">
        <div class="column">
          <Motion {...shown} />
          <Audio {...shown} />
        </div>
        <div class="column">
          <Joints {...shown} />
          <Ask {...shown} />
        </div>
      </div>
      <More {...shown} />
    </div>
  )
}
