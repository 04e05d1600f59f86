// How a task stands, as a tone and in words.

import type { TaskRecord } from '../../api/types'
import { words } from '../../live/read'
import type { Tone } from '../../parts/Status'

const TONES: Record<string, Tone> = {
  succeeded: 'good',
  failed: 'bad',
  unknown: 'bad',
  cancelled: 'none',
  missing_info: 'warn',
  assistance: 'warn',
  anomaly: 'warn',
}

export const tone = (state: string): Tone => TONES[state] ?? 'busy'

const SAID: Record<string, string> = {
  confirmed: 'Taken',
  missing_info: 'Something is missing',
  unknown: 'Cannot be done',
  progress: 'Going on',
  moving: 'On the way',
  assistance: 'A person has to choose',
  anomaly: 'Something unexpected',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export const said = (state: string) => SAID[state] ?? words(state)

/** Whether a task is among those that are asked for. */
export function passes(task: TaskRecord, robot: string, state: string): boolean {
  if (robot !== '' && task.robot !== robot) return false
  if (state === '') return true
  return state === 'open' ? task.ended === null : task.state === state
}
