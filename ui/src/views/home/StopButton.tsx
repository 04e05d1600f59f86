// A robot's emergency stop, or its stop where it has none.

import { OctagonX } from 'lucide-preact'

import { command } from '../../api/http'
import type { Data, Robot } from '../../api/types'
import { bool } from '../../live/read'
import { attempt } from '../../parts/toast'

interface Props {
  robot: Robot
  /** The commands that it takes. */
  takes: string[]
  control: Data | undefined
}

export function StopButton({ robot: { robot }, takes, control }: Props) {
  const emergency = takes.includes('emergency_stop')
  const pressed = emergency && bool(control, 'emergency_stop') === true
  const words = pressed
    ? `Release the emergency stop of ${robot}`
    : emergency
      ? `Emergency stop of ${robot}`
      : `Stop ${robot}`
  const act = () =>
    emergency
      ? attempt(command(robot, { command: 'emergency_stop', pressed: !pressed }))
      : attempt(command(robot, { command: 'stop' }), `${robot} stops`)
  return (
    <button
      class="button estop"
      type="button"
      aria-label={words}
      title={words}
      aria-pressed={emergency ? pressed : undefined}
      onClick={() => void act()}
    >
      <OctagonX size={18} aria-hidden="true" />
    </button>
  )
}
