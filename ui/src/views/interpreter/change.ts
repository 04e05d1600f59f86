// What changes between the model and a message, in words.

import type { DialectField } from '../../api/types'
import { clock } from '../../live/time'

const CLOSE = 1e-9

/** What is said where the unit stays. */
export const SAME = 'same unit'

/** The change of unit and number; `null` where nothing changes or nothing is measured. */
export function unitChange(modelUnit: string | null, pair: DialectField): string | null {
  const { unit, factor } = pair
  if (factor === null && (unit === null || unit === modelUnit)) return null
  const times = scale(factor ?? 1)
  const units = unit !== null && modelUnit !== null && unit !== modelUnit ? `${modelUnit} → ${unit}` : null
  const parts = [units, times].filter((it) => it !== null)
  if (parts.length > 0) return parts.join(', ')
  return unit === null && modelUnit === null ? null : SAME
}

/** `×57.2958`, `÷100`, or that the sign changes. */
export function scale(factor: number): string | null {
  const size = Math.abs(factor)
  const sign = factor < 0 ? 'opposite sign' : null
  const inverse = 1 / size
  const number =
    Math.abs(size - 1) < CLOSE
      ? null
      : size < 1 && Math.abs(inverse - Math.round(inverse)) < CLOSE * inverse
        ? `÷${Math.round(inverse)}`
        : `×${short(size)}`
  const parts = [number, sign].filter((it) => it !== null)
  return parts.length > 0 ? parts.join(', ') : null
}

/** Six digits at most. */
export const short = (value: number) => String(Number(value.toPrecision(6)))

/** How many decimals of a unit mean something: millimetres, tenths of a degree. */
const DECIMALS: Record<string, number> = {
  m: 3,
  'm/s': 3,
  'm/s²': 3,
  'm²': 4,
  rad: 3,
  'rad/s': 3,
  '°': 1,
  '°/s': 1,
  cm: 1,
  'mm/s': 0,
  '°C': 1,
  V: 3,
  A: 3,
  Ah: 2,
  '%': 1,
  ratio: 3,
  s: 3,
  ms: 0,
}

/** A number as exact as its unit means something; four digits where there is none. */
export function rounded(value: number, unit: string | null): string {
  if (Number.isInteger(value)) return String(value)
  const decimals = DECIMALS[unit ?? '']
  return String(Number(decimals === undefined ? value.toPrecision(4) : value.toFixed(decimals)) + 0)
}

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** A value in a sentence; of a moment the time of day, to a millisecond. */
export function plain(value: unknown, unit: string | null): string {
  if (value === null || value === undefined) return 'no data'
  if (typeof value === 'number') {
    const number = rounded(value, unit)
    return unit === null || unit === 'ratio' ? number : unit === '°' ? `${number}°` : `${number} ${unit}`
  }
  if (typeof value === 'string' && MOMENT.test(value)) return clock(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** The last name of a path, without its lists. */
export const leafName = (path: string) =>
  path
    .replaceAll(/\[[^\]]*\]/g, '')
    .split('.')
    .at(-1) ?? path
