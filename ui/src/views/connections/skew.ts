// How far the clock of a robot is from the gateway's, in words.

import { plain } from '../interpreter/change'

/** An interval narrower than this is a number, seconds. */
const NARROW_S = 0.0015

/** A skew between two bounds, seconds: one number only if the robot's stamps are fine enough to tell. */
export function skewText(min: number, max: number): string {
  if (max - min < NARROW_S) return seconds(max)
  return `${seconds(min)} to ${seconds(max)}`
}

function seconds(value: number): string {
  return Math.abs(value) < 1 ? `${Math.round(value * 1000)} ms` : plain(value, 's')
}
