// The emergency stop of one robot. Its button always stops: one that turned around with the state which the page knows would
// release a robot that somebody has stopped a moment before.

import { LockOpen, OctagonX } from 'lucide-preact'

import { command } from '../api/http'
import type { Robot } from '../api/types'
import type { Data } from '../live/read'
import { isStopped } from '../live/stops'
import { attempt } from './toast'

interface Props {
  robot: Robot
  control: Data | undefined
}

const turn = (robot: Robot, pressed: boolean) =>
  void attempt(command(robot.robot, { command: 'emergency_stop', pressed }))

export function StopButton({ robot, control, words }: Props & { words?: string }) {
  const name = `Emergency stop of ${robot.robot}`
  return (
    <button
      class="button estop"
      type="button"
      aria-label={name}
      title={name}
      aria-pressed={isStopped(robot, control)}
      onClick={() => turn(robot, true)}
    >
      <OctagonX size={18} aria-hidden="true" />
      {words}
    </button>
  )
}

export function ReleaseButton({ robot, control }: Props) {
  const name = `Release the emergency stop of ${robot.robot}`
  return (
    <button
      class="button"
      type="button"
      aria-label={name}
      title={name}
      disabled={!isStopped(robot, control)}
      onClick={() => turn(robot, false)}
    >
      <LockOpen size={16} aria-hidden="true" />
    </button>
  )
}
