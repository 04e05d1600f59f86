// Units as a person reads them: angles in degrees, shares in percent. For showing only.

const SHOWN: Record<string, { unit: string; factor: number; digits: number }> = {
  rad: { unit: '°', factor: 180 / Math.PI, digits: 1 },
  'rad/s': { unit: '°/s', factor: 180 / Math.PI, digits: 1 },
  ratio: { unit: '%', factor: 100, digits: 0 },
  '%': { unit: '%', factor: 1, digits: 0 },
  m: { unit: 'm', factor: 1, digits: 2 },
  'm/s': { unit: 'm/s', factor: 1, digits: 2 },
  'm/s²': { unit: 'm/s²', factor: 1, digits: 2 },
  Ah: { unit: 'Ah', factor: 1, digits: 1 },
  V: { unit: 'V', factor: 1, digits: 2 },
  A: { unit: 'A', factor: 1, digits: 2 },
  '°C': { unit: '°C', factor: 1, digits: 1 },
  s: { unit: 's', factor: 1, digits: 1 },
}

/** The ends of names that tell their unit; the longest that fits counts. */
const ENDS: [string, string][] = [
  ['_percent', '%'],
  ['_ratiops', '1/s'],
  ['_radps', 'rad/s'],
  ['_mps2', 'm/s²'],
  ['_ratio', 'ratio'],
  ['_mps', 'm/s'],
  ['_rad', 'rad'],
  ['_hz', 'Hz'],
  ['_ah', 'Ah'],
  ['_m2', 'm²'],
  ['_m', 'm'],
  ['_v', 'V'],
  ['_a', 'A'],
  ['_c', '°C'],
  ['_s', 's'],
]

/** The unit that a field's name tells, if its shape does not. */
export function unitOf(field: string): string | null {
  return ENDS.find(([end]) => field.endsWith(end))?.[1] ?? null
}

/** Spellings of the same unit. */
function plain(unit: string | null): string {
  switch (unit) {
    case null:
      return ''
    case 'mps':
      return 'm/s'
    case 'radps':
      return 'rad/s'
    case 'mps2':
    case 'm/s^2':
    case 'm/s2':
      return 'm/s²'
    case 'c':
      return '°C'
    case '1':
    case '0..1':
    case '-1..1':
      return 'ratio'
    default:
      return unit
  }
}

export interface Shown {
  unit: string
  factor: number
  digits: number
}

/** How values of a unit are shown. */
export function shown(unit: string | null): Shown {
  const known = plain(unit)
  return SHOWN[known] ?? { unit: known, factor: 1, digits: 2 }
}

const MINUS = '−'

/** A number with so many digits; the sign of zero is left out. */
export function fixed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits)
  return value < 0 && Number(text) !== 0 ? `${MINUS}${text}` : text
}

/** A value with its unit, or what is said where there is none. */
export function quantity(value: number | null, unit: string | null, digits?: number): string {
  if (value === null) return 'no data'
  const as = shown(unit)
  const text = fixed(value * as.factor, digits ?? as.digits)
  if (as.unit === '') return text
  return as.unit.startsWith('°') && as.unit.length === 1 ? `${text}°` : `${text} ${as.unit}`
}
