// What can be asked of the robot, and, if it is simulated, what can be made to happen to it.

import './ask.css'

import { Stimuli } from '../../../parts/stimuli/Stimuli'
import { Panel } from '../Panel'
import type { Shown } from '../robotFeed'
import { Commands } from './Commands'
import { GoTo } from './GoTo'
import { Lamps } from './Lamps'
import { Sounds } from './Sounds'
import { TaskForm } from './TaskForm'

export function Ask(shown: Shown) {
  const { robot, figure } = shown
  const takes = new Set(figure?.commands ?? [])
  const lamps = takes.has('lamp') && (figure?.lamps.length ?? 0) > 0
  return (
    <>
      {takes.has('navigate') && (
        <Panel title="Go somewhere" kind="ask">
          <GoTo {...shown} />
        </Panel>
      )}
      {takes.has('task') && (
        <Panel title="Give a task" kind="ask">
          <TaskForm robot={robot.robot} />
        </Panel>
      )}
      {(lamps || takes.has('play')) && (
        <Panel title="Lamps and sounds" kind="ask">
          {lamps && <Lamps {...shown} />}
          {takes.has('play') && <Sounds {...shown} />}
        </Panel>
      )}
      {takes.size > 0 && (
        <Panel title="Give a command" kind="ask" closed>
          <Commands {...shown} />
        </Panel>
      )}
      {robot.origin === 'simulated' && (figure?.stimuli.length ?? 0) > 0 && (
        <Panel title="Make something happen" kind="ask">
          <Stimuli robot={robot.robot} figure={figure} />
        </Panel>
      )}
    </>
  )
}
