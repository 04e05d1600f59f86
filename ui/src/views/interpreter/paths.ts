// Paths into JSON: where values stand, and the patterns by which the dialects' tables name them.
//
// On the wire `[]` stands for each item of a list and `**` for everything below; a path of the model goes
// through lists as through records: `items.part` is the part of each item.

export type Step = string | number

export interface Leaf {
  path: Step[]
  value: unknown
}

/** Lists may be long (scans); what lies beyond is alike. */
const ITEMS = 64

/** Every value that is no record or list, and those that are empty. */
export function leaves(value: unknown, path: Step[] = []): Leaf[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.slice(0, ITEMS).flatMap((item: unknown, at) => leaves(item, [...path, at]))
  }
  if (isRecord(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([name, item]) => leaves(item, [...path, name]))
  }
  return [{ path, value }]
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `bumpers[].part` as `bumpers`, `[]`, `part`; nothing at all is the message itself. */
export function segments(pattern: string): string[] {
  return pattern
    .replaceAll(/\[(\d*|\*)\]/g, (_, at: string) => (at === '' || at === '*' ? '.[]' : `.[${at}]`))
    .split('.')
    .filter((name) => name !== '' && name !== '$')
}

/** The places in lists at which a path fits a pattern of the wire; `null` if it does not. */
export function fitsWire(pattern: string[], path: Step[]): number[] | null {
  const at: number[] = []
  for (const [depth, name] of pattern.entries()) {
    if (name === '**') return at
    const step = path[depth]
    if (step === undefined) return null
    if (typeof step === 'number') {
      if (name === '[]') at.push(step)
      else if (name !== `[${step}]` && name !== String(step)) return null
    } else if (name !== step) return null
  }
  return takeRest(path.slice(pattern.length), at)
}

/** The same for a path of the model. */
export function fitsModel(names: string[], path: Step[]): number[] | null {
  const at: number[] = []
  let next = 0
  for (const step of path) {
    if (typeof step === 'number') at.push(step)
    else if (names[next] === step) next += 1
    else return null
  }
  return next === names.length ? at : null
}

/** A list of plain values is named by the list alone. */
function takeRest(rest: Step[], at: number[]): number[] | null {
  for (const step of rest) {
    if (typeof step !== 'number') return null
    at.push(step)
  }
  return at
}

/** A path without its places in lists. */
export const generic = (path: Step[]) => path.filter((step) => typeof step === 'string').join('.')

/** A path as a person writes it: `bumpers[0].part`. */
export function written(path: Step[]): string {
  let text = ''
  for (const step of path) {
    text += typeof step === 'number' ? `[${step}]` : text === '' ? step : `.${step}`
  }
  return text
}
