// What the robot's cameras see, one panel a camera.

import './cameras.css'

import { words } from '../../../live/read'
import { Panel } from '../Panel'
import type { Shown } from '../robotFeed'
import { Camera } from './Camera'
import { camerasOf } from './forms'

export function Cameras({ robot, figure }: Shown) {
  return (
    <div class="cameras">
      {camerasOf(figure).map(({ part, forms }) => (
        <Panel key={part} title={words(part || 'camera')} kind="camera">
          <Camera robot={robot} part={part} forms={forms} />
        </Panel>
      ))}
    </div>
  )
}
