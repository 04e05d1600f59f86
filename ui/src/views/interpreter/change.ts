// What changes between the model and a message, in words.

import type { FieldPair } from '../../api/types'

const CLOSE = 1e-9

/** What is said where the unit stays. */
export const SAME = 'same unit'

/** The change of unit and number; `null` where nothing changes or nothing is measured. */
export function unitChange(modelUnit: string | null, pair: FieldPair): string | null {
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

/** A value in a sentence. */
export function plain(value: unknown, unit: string | null): string {
  if (value === null || value === undefined) return 'no data'
  if (typeof value === 'number') {
    const number = Number.isInteger(value) ? String(value) : short(value)
    return unit === null || unit === 'ratio' ? number : unit === '°' ? `${number}°` : `${number} ${unit}`
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

/** The last name of a path, without its lists. */
export const leafName = (path: string) =>
  path
    .replaceAll(/\[[^\]]*\]/g, '')
    .split('.')
    .at(-1) ?? path
