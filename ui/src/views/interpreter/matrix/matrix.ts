// The matrix of families and dialects: which pair an address names, and its cells by how they reach a client.

import type { Cell, Pair, Support } from '../../../api/types'
import { grouped } from '../../../live/group'

/** What each support means, best first. */
export const MEANINGS: Record<Support, string> = {
  native: "The dialect is the robot's own.",
  exact: 'The robot has it, and the dialect has words for it.',
  derived: 'The gateway makes it from what the robot has.',
  absent: 'What the client gets instead:',
}

export const SUPPORTS = Object.keys(MEANINGS) as Support[]

/** `axbot/misty` as family and dialect; `null` unless it names both. */
export function fromAddress(address: string | undefined): Pick<Pair, 'family' | 'dialect'> | null {
  const [family, dialect] = (address ?? '').split('/').filter((it) => it !== '')
  return family === undefined || dialect === undefined ? null : { family, dialect }
}

export const addressOf = ({ family, dialect }: Pair) => `/interpreter/matrix/${family}/${dialect}`

export interface Group {
  support: Support
  messages: Cell[]
  commands: Cell[]
}

/** The cells of a pair by support, without supports that none has. */
export function groupsOf({ cells }: Pair): Group[] {
  const bySupport = SUPPORTS.map((support) => ({
    support,
    messages: cells.filter((it) => it.support === support && !it.is_command),
    commands: cells.filter((it) => it.support === support && it.is_command),
  }))
  return bySupport.filter((group) => sizeOf(group) > 0)
}

export const sizeOf = ({ messages, commands }: Group) => messages.length + commands.length

export interface Share {
  support: Support
  count: number
}

/** How many cells of a pair are of each support; `null` where all are native. */
export function sharesOf({ cells }: Pair): Share[] | null {
  if (cells.every((it) => it.support === 'native')) return null
  return SUPPORTS.filter((support) => support !== 'native').map((support) => ({
    support,
    count: cells.filter((it) => it.support === support).length,
  }))
}

export const inWords = (shares: Share[] | null) =>
  shares?.map(({ count, support }) => `${count} ${support}`).join(', ') ?? 'native'

export interface FamilyRow {
  family: string
  /** By dialect. */
  pairs: Map<string, Pair>
}

/** The pairs as rows of families, and the dialects that are their columns. */
export function tableOf(pairs: Pair[]): { rows: FamilyRow[]; dialects: string[] } {
  const rows = grouped(pairs, (it) => it.family).map(([family, own]) => ({
    family,
    pairs: new Map(own.map((pair) => [pair.dialect, pair])),
  }))
  return { rows, dialects: [...new Set(pairs.map((it) => it.dialect))] }
}
