// A record of the model as rows: what each field is called, what it is now, what it means.

import type { Field } from '../../api/types'
import { clock } from '../../live/time'
import { plain } from './change'
import { generic, isRecord, type Step } from './paths'

export interface Row {
  /** Without places in lists; what tables call it. */
  field: string
  at: number[]
  depth: number
  name: string
  /** `null` for records and lists whose fields follow. */
  value: string | null
  missing: boolean
  unit: string | null
  meaning: string
}

const ITEMS = 4
const NANOS = 1e6

export function rows(fields: Field[], data: Record<string, unknown>): Row[] {
  const out: Row[] = []
  // What the list of kinds does not have is shown all the same.
  const known = new Set(fields.map((it) => it.name))
  const extra = Object.keys(data).filter((name) => !known.has(name))
  for (const shape of fields) put(out, shape, shape.name, data[shape.name], [shape.name], 0)
  for (const name of extra) put(out, null, name, data[name], [name], 0)
  return out
}

function put(
  out: Row[],
  shape: Partial<Field> | null,
  name: string,
  value: unknown,
  path: Step[],
  depth: number,
) {
  const unit = shape?.unit ?? null
  const row = {
    field: generic(path),
    at: path.filter((step) => typeof step === 'number'),
    depth,
    name,
    unit,
    meaning: shape?.summary ?? '',
    missing: value === null || value === undefined,
  }
  if (isRecord(value)) {
    out.push({ ...row, value: null })
    const inner = shape?.fields ?? []
    for (const [key, item] of Object.entries(value)) {
      put(out, inner.find((it) => it.name === key) ?? null, key, item, [...path, key], depth + 1)
    }
  } else if (Array.isArray(value)) {
    const flat = inline(value)
    out.push({ ...row, value: flat ?? `${value.length} items` })
    if (flat !== null) return
    for (const [at, item] of value.slice(0, ITEMS).entries()) {
      const inner = shape?.item ?? { fields: shape?.fields }
      put(out, { ...inner, summary: '' }, `${name}[${at}]`, item, [...path, at], depth + 1)
    }
    if (value.length > ITEMS) {
      out.push({
        ...row,
        field: '',
        depth: depth + 1,
        name: `${value.length - ITEMS} more`,
        value: null,
        meaning: '',
      })
    }
  } else {
    out.push({ ...row, value: shown(value, shape?.type, unit) })
  }
}

/** Plain values stand side by side; long lists are cut. */
function inline(list: unknown[]): string | null {
  if (list.length === 0) return 'empty list'
  const nested = list.some((item) => isRecord(item) || (Array.isArray(item) && item.some(isRecord)))
  if (nested) return null
  const texts = list
    .slice(0, 6)
    .map((item) => (Array.isArray(item) ? `[${item.map(brief).join(', ')}]` : brief(item)))
  return list.length > 6 ? `${texts.join(', ')} … ${list.length - 6} more` : texts.join(', ')
}

const brief = (value: unknown) => plain(typeof value === 'number' ? Number(value.toFixed(3)) : value, null)

function shown(value: unknown, type: string | undefined, unit: string | null): string {
  if (type === 'time' && typeof value === 'number') return clock(new Date(value / NANOS).toISOString())
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return plain(value, unit)
}
