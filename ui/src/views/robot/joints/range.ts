// How far a joint can be moved, and in which unit: an angle or a share of its range.

import type { FigureJoint } from '../../../api/types'
import { type Data, number } from '../../../live/read'

export interface Travel {
  /** The field that tells it, in what is said and in what is asked. */
  field: 'position_rad' | 'position_ratio'
  unit: 'rad' | 'ratio'
  min: number
  max: number
}

/** A joint; nobody tells the range of one that the figure does not have. */
export type JointOfRobot = Pick<FigureJoint, 'part' | 'label'> & Partial<FigureJoint>

const both = (min: number | null | undefined, max: number | null | undefined): [number, number] | null =>
  typeof min === 'number' && typeof max === 'number' && min < max ? [min, max] : null

/** `null` if nobody tells how far it goes. */
export function travelOf(joint: JointOfRobot): Travel | null {
  const angle = both(joint.min_rad, joint.max_rad)
  if (angle) return { field: 'position_rad', unit: 'rad', min: angle[0], max: angle[1] }
  const share = both(joint.min_ratio, joint.max_ratio)
  if (share) return { field: 'position_ratio', unit: 'ratio', min: share[0], max: share[1] }
  return null
}

/** Where it stands, in the unit of its travel or in whichever it tells. */
export function standing(data: Data | undefined): { value: number; unit: string } | null {
  for (const [field, unit] of [
    ['position_rad', 'rad'],
    ['position_m', 'm'],
    ['position_ratio', 'ratio'],
  ] as const) {
    const value = number(data, field)
    if (value !== null) return { value, unit }
  }
  return null
}
