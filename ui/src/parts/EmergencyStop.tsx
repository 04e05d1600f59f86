// The emergency stop of all robots, on every view: one click, or the key Escape.

import './emergencystop.css'

import { OctagonX } from 'lucide-preact'
import { useEffect } from 'preact/hooks'

import { emergencyStop } from '../api/http'
import { robots } from '../live/gateway'
import { say } from './toast'

export function EmergencyStop() {
  const held = robots.value.filter((robot) => robot.emergency_stop !== null)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      // Escape also closes what is open, which then answers for it.
      if (event.key === 'Escape' && !event.defaultPrevented && !event.repeat) void turn(true)
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
  if (robots.value.length === 0) return null
  return (
    <>
      {held.length > 0 && (
        <button class="button release" type="button" onClick={() => void turn(false)}>
          Release {held.length}
        </button>
      )}
      <button
        class="button stopall"
        type="button"
        title="Stops all robots, and keeps them from moving until it is released (Escape)"
        aria-label="Emergency stop of all robots"
        aria-keyshortcuts="Escape"
        onClick={() => void turn(true)}
      >
        <OctagonX size={18} aria-hidden="true" />
        <span class="wide">Emergency stop</span>
        <span class="narrow">E-stop</span>
      </button>
    </>
  )
}

async function turn(pressed: boolean): Promise<void> {
  let outcomes
  try {
    ;({ outcomes } = await emergencyStop(pressed))
  } catch (error) {
    say(
      String(error instanceof Error ? error.message : error),
      true,
      'Use the emergency stop of the robot itself',
    )
    return
  }
  const failed = Object.entries(outcomes)
    .filter(([, { outcome }]) => outcome === 'refused' || outcome === 'timed_out')
    .map(([robot]) => robot)
  const count = Object.keys(outcomes).length
  if (failed.length > 0) {
    const what = pressed ? 'No emergency stop' : 'Not released'
    say(
      `${what}: ${failed.join(', ')}`,
      true,
      pressed ? 'Use the emergency stop of the robot itself' : undefined,
    )
  } else say(pressed ? `All ${count} robots took the emergency stop` : `All ${count} robots may move again`)
}
