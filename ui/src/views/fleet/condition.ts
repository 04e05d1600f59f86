// What a robot is doing and how it is, in one word and one sentence, from what it last said.

import type { Robot } from '../../api/types'
import { type Data, bool, list, number, text, words } from '../../live/read'
import { isStopped } from '../../live/stops'
import { since } from '../../live/time'
import type { Tone } from '../../parts/Status'

/** The last records of one robot, by kind; nothing where nothing was said. */
export type Said = (kind: string, part?: string) => Data | undefined

export interface Condition {
  tone: Tone
  word: string
  /** A shorter word, for where there is little room. */
  short?: string
  more: string | null
}

const MOVES_MPS = 0.01
const TURNS_RADPS = 0.03

/** What keeps the page from knowing more. */
export type Hold = 'lost' | 'paused' | null

export function condition(robot: Robot, said: Said, hold: Hold = null): Condition {
  if (hold === 'lost') return { tone: 'none', word: 'Not known', more: 'the gateway does not answer' }
  if (robot.link.state === 'down') {
    return { tone: 'bad', word: 'Disconnected', more: unstopped(robot) ?? robot.link.reason }
  }
  if (robot.link.state === 'connecting') return { tone: 'busy', word: 'Connecting', more: null }
  const control = said('control')
  if (robot.unstopped) return { tone: 'bad', word: 'May move', more: unstopped(robot) }
  if (isStopped(robot, control)) return { tone: 'bad', word: 'Emergency stop', short: 'Stopped', more: null }
  const worst = alerts(said)[0]
  if (worst?.severity === 'error') return { tone: 'bad', word: 'Error', more: worst.message }
  if (hold === 'paused' && robot.origin === 'simulated') {
    return { tone: 'none', word: 'Paused', more: 'its world stands still' }
  }
  const hazards = list(said('hazard'), 'items').filter((item) => item.active === true)
  const navigation = said('navigation')
  if (text(navigation, 'state') === 'moving') {
    const kind = words(text(navigation, 'kind') ?? 'driving')
    const place = text(navigation, 'place')
    const left = number(navigation, 'remaining_m')
    const more = [place && `to ${place}`, left !== null && `${left.toFixed(1)} m left`]
      .filter(Boolean)
      .join(', ')
    if (bool(navigation, 'stuck')) return { tone: 'warn', word: 'Waits', more: 'something is in the way' }
    return { tone: 'busy', word: kind, more: more || null }
  }
  if (hazards.length > 0) {
    return { tone: 'warn', word: 'Hazard', more: hazards.map((item) => words(String(item.part))).join(', ') }
  }
  // The connection is there, and what is behind it is not, or not all of it.
  if (robot.link.reason) return { tone: 'warn', word: 'Incomplete', more: robot.link.reason }
  const power = text(said('battery'), 'state')
  if (power === 'charging' || power === 'full') {
    return { tone: 'good', word: power === 'full' ? 'Charged' : 'Charging', more: null }
  }
  if (bool(control, 'wheels_released')) return { tone: 'warn', word: 'Wheels released', more: null }
  const velocity = said('velocity', 'measured')
  const moves = Math.abs(number(velocity, 'linear_mps') ?? 0) > MOVES_MPS
  const turns = Math.abs(number(velocity, 'angular_radps') ?? 0) > TURNS_RADPS
  if (moves || turns) return { tone: 'busy', word: 'Moving', more: null }
  return { tone: 'good', word: 'Ready', more: null }
}

/** That nothing shows a stop to have been obeyed, and for how long. */
export function unstopped(robot: Robot): string | null {
  return robot.unstopped && `for ${since(robot.unstopped.since)} ${robot.unstopped.message}`
}

/** Active alerts, the robot's own and what the gateway finds wrong with it, the worst first. */
export function alerts(said: Said): { message: string; severity: string }[] {
  const all = [...list(said('alerts'), 'active'), ...list(said('alerts', 'gateway'), 'active')]
  const active = all.map((alert) => ({
    message: String(alert.message),
    severity: String(alert.severity),
  }))
  return active.sort((a, b) => a.severity.localeCompare(b.severity))
}

/** The task at hand, in words; nothing once it is over. */
export function task(data: Data | undefined): string | null {
  const state = text(data, 'state')
  if (!data || !state) return null
  const what = [words(text(data, 'kind') ?? 'task'), text(data, 'target')].filter(Boolean).join(': ')
  const action = text(data, 'action')
  if (state === 'progress') return action ? `${what}, ${action.replaceAll('_', ' ')}` : what
  return `${what}, ${state.replaceAll('_', ' ')}`
}
