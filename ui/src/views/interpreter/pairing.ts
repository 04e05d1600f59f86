// Which field of a dialect's message is which field of the model, by the dialects' tables.

import type { Dialect, DialectMessage, DialectField, NativeMessage, Update } from '../../api/types'
import type { Data } from '../../live/read'
import { fitsModel, fitsWire, type Leaf, leaves, segments, type Step } from './paths'

/** A field of the model, and at which places in lists. */
export interface Bond {
  field: string
  at: number[]
}

/** One row of a table, with what stands on both sides now. */
export interface Pairing {
  pair: DialectField
  /** The field of the model, or one of `PART`, `KIND`, `TIME`; `null` if it has no partner. */
  field: string | null
  wire: Leaf
  model: Leaf | null
}

export interface Paired {
  /** What the message is about, if the dialect's table has it. */
  message: DialectMessage | null
  /** By the path on the wire. */
  bonds: { path: Step[]; bond: Bond }[]
  pairings: Pairing[]
}

/** What every update tells beside its record. */
export const PART = '@part'
export const KIND = '@kind'
export const TIME = '@time'

const ROLES: Record<string, string> = { part: PART, kind: KIND, time: TIME }

/** The table of a message; a topic may hold parts that vary, written `{id}`, `+` or `:id`. */
export function messageOf(
  dialects: Dialect[],
  dialect: string,
  topic: string,
  kind: string,
): DialectMessage | null {
  const messages = dialects.find((it) => it.name === dialect)?.messages ?? []
  return (
    messages.find((it) => it.topic === topic) ??
    messages.find((it) => it.kinds.includes(kind) && varies(it.topic, topic)) ??
    null
  )
}

function varies(pattern: string, topic: string): boolean {
  const wanted = pattern.split('/')
  const given = topic.split('/')
  if (wanted.length !== given.length) return false
  return wanted.every((name, at) => name === given[at] || /^(\+|:.*|.*\{.*\}.*|.*<.*>.*)$/.test(name))
}

export function pairUp(update: Update, message: NativeMessage, dialects: Dialect[]): Paired {
  const table = messageOf(dialects, message.dialect, message.topic, update.kind)
  if (!table) return { message: null, bonds: [], pairings: [] }
  const wire = leaves(message.payload)
  const model = leaves(update.data ?? {})
  const paired: Paired = { message: table, bonds: [], pairings: [] }
  for (const pair of table.fields) {
    if (pair.kind !== null && pair.kind !== update.kind) continue
    if (pair.part != null && pair.part !== update.part) continue
    const pattern = segments(pair.wire)
    let isPaired = false
    for (const leaf of wire) {
      const at = fitsWire(pattern, leaf.path)
      if (!at) continue
      const field = pair.model ?? ROLES[pair.role] ?? null
      const partner = modelLeaf(update, model, field, at, leaf.path)
      if (field) paired.bonds.push({ path: leaf.path, bond: { field, at: partner?.at ?? at } })
      if (isPaired) continue
      isPaired = true
      paired.pairings.push({ pair, field, wire: leaf, model: partner?.leaf ?? null })
    }
  }
  return paired
}

/** The value of the model that stands for one on the wire, and at which places in lists it is. */
function modelLeaf(
  update: Update,
  model: Leaf[],
  field: string | null,
  at: number[],
  wire: Step[],
): { leaf: Leaf; at: number[] } | null {
  if (field === null) return null
  if (field === PART) return { leaf: { path: ['part'], value: update.part }, at }
  if (field === KIND) return { leaf: { path: ['kind'], value: update.kind }, at }
  if (field === TIME) return { leaf: { path: ['stamp', 'at'], value: update.stamp.at }, at }
  const names = segments(field)
  const fitting = model.flatMap((leaf) => {
    const places = fitsModel(names, leaf.path)
    return places ? [{ leaf, places }] : []
  })
  // A point that is a list on both sides has its numbers at the same places, one of which the table names.
  const places = wire.filter((step) => typeof step === 'number')
  const exact = fitting.find((it) => same(it.places, places))
  if (exact) return { leaf: exact.leaf, at: places }
  const found = fitting.find((it) => same(it.places, at)) ?? fitting[0]
  return found ? { leaf: found.leaf, at } : null
}

const same = (one: number[], other: number[]) => one.join() === other.join()

/** Whether two mean the same value: the same field, and no different places as far as both tell. */
export function meets(one: Bond, other: Bond): boolean {
  if (one.field !== other.field) return false
  const shared = Math.min(one.at.length, other.at.length)
  return one.at.slice(0, shared).join() === other.at.slice(0, shared).join()
}

/** A number for each field of the model that some message has too, in the model's order. */
export function numbering(update: Update, columns: Paired[]): Map<string, number> {
  const wanted = new Set(columns.flatMap((column) => column.bonds.map(({ bond }) => bond.field)))
  const order = [KIND, PART, TIME, ...fieldsOf(update.data ?? {})]
  const numbers = new Map<string, number>()
  for (const field of [...order, ...wanted]) {
    if (wanted.has(field) && !numbers.has(field)) numbers.set(field, numbers.size + 1)
  }
  return numbers
}

/** The fields of a record, each once however many items its lists have. */
export function fieldsOf(data: Data): string[] {
  const names = leaves(data).map((leaf) => leaf.path.filter((step) => typeof step === 'string').join('.'))
  return [...new Set(names)].filter((name) => name !== '')
}

/** The fields of the model that a message does not have. */
export function unpaired(update: Update, paired: Paired[]): string[] {
  const known = new Set(paired.flatMap((it) => it.bonds.map(({ bond }) => bond.field)))
  return fieldsOf(update.data ?? {}).filter((field) => !known.has(field))
}
