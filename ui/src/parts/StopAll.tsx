// Stops every robot that is reached.

import './stopall.css'

import { OctagonX } from 'lucide-preact'

import { command } from '../api/http'
import { figures, robots } from '../live/gateway'
import { say } from './toast'

export function StopAll() {
  const able = robots.value.filter(
    ({ family, link }) => link.state === 'up' && figures.value[family]?.commands.includes('stop'),
  )
  if (able.length === 0) return null
  const stop = async () => {
    const answers = await Promise.allSettled(able.map(({ robot }) => command(robot, { command: 'stop' })))
    const failed = able.filter((_, at) => answers[at]?.status === 'rejected').map(({ robot }) => robot)
    if (failed.length === 0) say(`All ${able.length} robots stop`)
    else say(`No stop for ${failed.join(', ')}`, true, 'Use the emergency stop of the robot itself')
  }
  return (
    <button class="button stopall" type="button" onClick={() => void stop()}>
      <OctagonX size={18} aria-hidden="true" /> Stop all
    </button>
  )
}
