// The sensors of a robot: where its figure says that they are, and what they say now.

import type { Feed } from '../../../api/feed'
import type { Figure, FigurePart, Update } from '../../../api/types'
import { number, text, words } from '../../../live/read'
import { allOf } from '../robotFeed'

export interface Sensor {
  part: FigurePart
  update: Update | undefined
  distance_m: number | null
  status: string | null
  /** Whether the distance can be trusted. */
  valid: boolean
  width_rad: number
  max_m: number | null
}

/** Width of a beam whose width nobody tells. */
const NARROW = 0.06

/** Sensors of a kind; one that speaks but is not in the figure looks ahead from the middle and is not drawn. */
export function sensors(feed: Feed, robot: string, figure: Figure | undefined, kind: string): Sensor[] {
  const said = new Map(allOf(feed, robot, kind).map((update) => [update.part ?? '', update]))
  const found: Sensor[] = []
  for (const part of figure?.parts ?? []) {
    if (part.kind !== kind) continue
    found.push(sensor(part, said.get(part.part)))
    said.delete(part.part)
  }
  return found
}

/** Sensors that speak though the figure does not know them. */
export function unplaced(feed: Feed, robot: string, figure: Figure | undefined, kind: string): Sensor[] {
  const known = new Set(figure?.parts.filter((it) => it.kind === kind).map((it) => it.part))
  return allOf(feed, robot, kind)
    .filter((update) => !known.has(update.part ?? ''))
    .map((update) => {
      const at = { x_m: 0, y_m: 0, z_m: 0, yaw_rad: 0, field_of_view_rad: null, max_m: null }
      return sensor({ kind, part: update.part ?? '', label: words(update.part ?? kind), ...at }, update)
    })
}

function sensor(part: FigurePart, update: Update | undefined): Sensor {
  const status = text(update?.data, 'status')
  const distance_m = number(update?.data, 'distance_m')
  return {
    part,
    update,
    distance_m,
    status,
    valid: distance_m !== null && (status === null || status === 'valid' || status === 'unknown'),
    width_rad: number(update?.data, 'field_of_view_rad') ?? part.field_of_view_rad ?? NARROW,
    max_m: number(update?.data, 'max_m') ?? part.max_m,
  }
}
