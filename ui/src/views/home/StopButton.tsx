// A robot's emergency stop.

import { OctagonX } from 'lucide-preact'

import { command } from '../../api/http'
import type { Data, Robot } from '../../api/types'
import { isStopped } from '../../live/stops'
import { attempt } from '../../parts/toast'

interface Props {
  robot: Robot
  control: Data | undefined
}

export function StopButton({ robot, control }: Props) {
  const pressed = isStopped(robot, control)
  const words = pressed ? `Release the emergency stop of ${robot.robot}` : `Emergency stop of ${robot.robot}`
  const turn = () => attempt(command(robot.robot, { command: 'emergency_stop', pressed: !pressed }))
  return (
    <button
      class="button estop"
      type="button"
      aria-label={words}
      title={words}
      aria-pressed={pressed}
      onClick={() => void turn()}
    >
      <OctagonX size={18} aria-hidden="true" />
    </button>
  )
}
