// What a record says, in rows: made from the shape of its kind, so that a kind that nobody drew is shown, too.

import type { Field, KindShape } from '../../../api/types'
import { type Data, words } from '../../../live/read'
import { clock } from '../../../live/time'
import { quantity, unitOf } from '../units'

/** Kinds that have a place of their own on the robot's page. */
const DRAWN = new Set(
  (
    'battery control status link pose imu velocity encoders odometer range cliff light contact scan ' +
    'sound_source joint lamp task navigation objects'
  ).split(' '),
)

export const isDrawn = (kind: string) => DRAWN.has(kind)

export type Row = [name: string, value: string]

/** Records within records that are looked into. */
const DEPTH = 3
/** Items of a list that are written out. */
const MOST_ITEMS = 4

/** A row for each field that has a value. */
export function rowsOf(shape: KindShape, data: Data | undefined): Row[] {
  return within(shape.fields, data ?? {}, '', DEPTH)
}

function within(fields: Field[], data: Data, before: string, depth: number): Row[] {
  return fields.flatMap((field): Row[] => {
    const value = data[field.name]
    if (value === null || value === undefined) return []
    const name = before + plain(field)
    if (field.type === 'record' && depth > 1) {
      return within(field.fields ?? [], value as Data, `${name}, `, depth - 1)
    }
    return [[words(name), written(value, field)]]
  })
}

/** The field's name without its unit, which stands beside the value. */
function plain({ name, unit }: Field): string {
  const cut = (unit ?? unitOf(name)) ? name.slice(0, name.lastIndexOf('_')) : name
  return cut.replaceAll('_', ' ')
}

function written(value: unknown, field: Partial<Field> & { name?: string }): string {
  const unit = field.unit ?? unitOf(field.name ?? '')
  if (Array.isArray(value)) return listed(value, { ...field.item, unit })
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    return field.type === 'integer' && unit === null ? String(value) : quantity(value, unit)
  }
  if (typeof value === 'string') {
    if (field.type === 'time') return clock(value)
    return field.type === 'word' ? value.replaceAll('_', ' ') : value
  }
  const parts = Object.entries(value as Data).filter(([, part]) => part !== null)
  return parts.map(([name, part]) => `${name.replaceAll('_', ' ')} ${written(part, { name })}`).join(', ')
}

function listed(items: unknown[], item: Partial<Field>): string {
  if (items.length === 0) return 'none'
  if (items.length > MOST_ITEMS) return `${items.length} values`
  return items.map((it) => written(it, item)).join('; ')
}
