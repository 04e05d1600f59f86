// JSON as lines to print, each with its path. Short lists stand on one line, long ones are cut.

import { isRecord, type Step } from './paths'

export interface JsonLine {
  path: Step[]
  depth: number
  /** The name before the value, if it has one. */
  name: string | null
  text: string
  /** Whether everything below the path stands on this line. */
  whole: boolean
  /** The items of a list that stands on this line, and what follows it. */
  items?: { texts: string[]; end: string }
}

const ONE_LINE = 56
const ITEMS = 8
const TEXT = 400

export function jsonLines(value: unknown): JsonLine[] {
  const lines: JsonLine[] = []
  put(lines, value, [], null, 0, '')
  return lines
}

function put(
  lines: JsonLine[],
  value: unknown,
  path: Step[],
  name: string | null,
  depth: number,
  end: string,
) {
  const line = (text: string, whole: boolean) => lines.push({ path, depth, name, text, whole })
  const close = (text: string) => lines.push({ path, depth, name: null, text, whole: false })
  if (Array.isArray(value)) {
    const texts = scalars(value)
    const flat = `[${texts?.join(', ')}]`
    if (texts !== null && flat.length <= ONE_LINE) {
      return void lines.push({ path, depth, name, text: flat + end, whole: true, items: { texts, end } })
    }
    line('[', false)
    const cut = value.length > ITEMS + 1 ? ITEMS : value.length
    for (let at = 0; at < cut; at += 1) {
      put(lines, value[at], [...path, at], null, depth + 1, at + 1 < value.length ? ',' : '')
    }
    if (cut < value.length) {
      lines.push({ path, depth: depth + 1, name: null, text: `… ${value.length - cut} more`, whole: false })
    }
    close(']' + end)
  } else if (isRecord(value)) {
    const entries = Object.entries(value)
    if (entries.length === 0) return void line('{}' + end, true)
    line('{', false)
    for (const [at, [key, item]] of entries.entries()) {
      put(lines, item, [...path, key], key, depth + 1, at + 1 < entries.length ? ',' : '')
    }
    close('}' + end)
  } else {
    const text = value === undefined ? 'nothing' : JSON.stringify(value)
    line((text.length > TEXT ? `${text.slice(0, TEXT)}…"` : text) + end, true)
  }
}

function scalars(list: unknown[]): string[] | null {
  if (list.some((item) => typeof item === 'object' && item !== null)) return null
  return list.map((item) => JSON.stringify(item))
}

/** Which lines to show: runs of more than `spare` lines that nothing marks are folded. */
export function fold(marked: boolean[], spare: number): { from: number; to: number; folded: boolean }[] {
  const parts: { from: number; to: number; folded: boolean }[] = []
  let from = 0
  while (from < marked.length) {
    let to = from
    while (to < marked.length && marked[to] === marked[from]) to += 1
    const folded = marked[from] === false && to - from > spare
    const last = parts.at(-1)
    if (!folded && last && !last.folded) last.to = to
    else parts.push({ from, to, folded })
    from = to
  }
  return parts
}
