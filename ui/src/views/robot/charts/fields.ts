// Which numbers can be drawn: the numeric fields of a kind, also those within records.

import type { Field, KindShape } from '../../../api/types'
import { unitOf } from '../units'

export interface NumericField {
  path: string
  unit: string | null
  summary: string
}

const DEPTH = 4

/** Every numeric field; what lists hold is left out, since their places mean nothing over time. */
export function numericFields(shape: KindShape | undefined): NumericField[] {
  return shape ? within(shape.fields, '', DEPTH) : []
}

function within(fields: Field[], before: string, depth: number): NumericField[] {
  return fields.flatMap((field) => {
    const path = before + field.name
    if (field.type === 'number' || field.type === 'integer' || field.type === 'duration') {
      return [{ path, unit: field.unit ?? unitOf(field.name), summary: field.summary }]
    }
    if (field.type === 'boolean') return [{ path, unit: null, summary: field.summary }]
    if (field.type === 'record' && depth > 1) return within(field.fields ?? [], `${path}.`, depth - 1)
    return []
  })
}

/** A value of a field that may be drawn; yes and no are 1 and 0. */
export function drawable(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value ? 1 : 0
  return null
}
