// Emergency stops: a robot's own, which it publishes, and the gateway's for robots that have none.

import type { Author, Robot } from '../api/types'
import { type Data, bool } from './read'

export const isStopped = (robot: Robot, control: Data | undefined): boolean =>
  robot.emergency_stop !== null || bool(control, 'emergency_stop') === true

/** A client of the gateway, in words. */
export function clientWords({ dialect, name }: Author): string {
  return name === '' ? dialect : `${dialect} ${name}`
}
