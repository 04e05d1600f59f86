// One message as it goes over the wire, its fields marked, and what differs from the model in words.

import './message.css'

import { useState } from 'preact/hooks'

import type { KindShape, NativeMessage, Update } from '../../api/types'
import { Differences } from './Differences'
import { fold, type JsonLine, jsonLines } from './json'
import { isLit, lighting } from './lit'
import { Mark, NoMark } from './Mark'
import { Note } from './Note'
import type { Bond, Paired } from './pairing'
import type { Step } from './paths'

/** Runs of lines without a mark that are not worth a fold. */
const SPARE = 7

interface Props {
  update: Update
  message: NativeMessage
  paired: Paired
  numbers: Map<string, number>
  shape: KindShape | undefined
}

export function MessageBox({ update, message, paired, numbers, shape }: Props) {
  const [whole, setWhole] = useState(false)
  const lines = message.payload === undefined ? bytes(message) : jsonLines(message.payload)
  const bonds = lines.map((line) => bondsOf(line, paired))
  const parts = fold(
    bonds.map((it) => it.length > 0),
    whole ? Infinity : SPARE,
  )
  return (
    <div class="messagebox">
      <p class="about">
        <code>{message.topic}</code>
        {paired.message && (
          <span class="muted">
            {' '}
            <Note text={paired.message.summary} />
          </span>
        )}
      </p>
      <ol class="json mono">
        {parts.map(({ from, to, folded }) =>
          folded ? (
            <li key={`fold${from}`} class="fold">
              <button class="button quiet" type="button" onClick={() => setWhole(true)}>
                Show {to - from} lines that tell other things
              </button>
            </li>
          ) : (
            lines
              .slice(from, to)
              .map((line, at) => (
                <Line
                  key={from + at}
                  line={line}
                  bonds={bonds[from + at] ?? []}
                  items={itemBonds(line, paired)}
                  numbers={numbers}
                />
              ))
          ),
        )}
      </ol>
      {whole && (
        <button class="button quiet" type="button" onClick={() => setWhole(false)}>
          Show only what corresponds
        </button>
      )}
      <Differences update={update} paired={paired} numbers={numbers} shape={shape} />
    </div>
  )
}

interface LineProps {
  line: JsonLine
  bonds: Bond[]
  /** What each item of a list is, if they are different fields. */
  items: Bond[][] | null
  numbers: Map<string, number>
}

function Line({ line, bonds, items, numbers }: LineProps) {
  const mark = (bond: Bond, label: string) => (
    <Mark key={bond.field} number={numbers.get(bond.field) ?? 0} label={label} />
  )
  return (
    <li data-lit={isLit(bonds)} {...(items ? {} : lighting(bonds))}>
      {bonds.length === 0 || items ? <NoMark /> : bonds.map((bond) => mark(bond, line.name ?? line.text))}
      <span class="text" style={{ '--depth': line.depth }}>
        {line.name !== null && <span class="name">{JSON.stringify(line.name)}: </span>}
        {items && line.items ? (
          <>
            [
            {line.items.texts.map((text, at) => {
              const own = items[at] ?? []
              return (
                <span key={at} class="item" data-lit={isLit(own)} {...lighting(own)}>
                  {at > 0 && ', '}
                  {own.map((bond) => mark(bond, `${line.name ?? ''}[${at}]`))}
                  {text}
                </span>
              )
            })}
            ]{line.items.end}
          </>
        ) : (
          line.text
        )}
      </span>
    </li>
  )
}

/** What the items of a list are, if they are different fields: `pos` is x and y. */
function itemBonds(line: JsonLine, paired: Paired): Bond[][] | null {
  if (!line.items) return null
  const all = line.items.texts.map((_, at) => bondsAt([...line.path, at], paired))
  const fields = new Set(all.flat().map((bond) => bond.field + bond.at.join()))
  return fields.size > 1 ? all : null
}

/** What stands on a line, each field once. */
const bondsOf = (line: JsonLine, paired: Paired) => (line.whole ? bondsAt(line.path, paired) : [])

function bondsAt(start: Step[], paired: Paired): Bond[] {
  const found = new Map<string, Bond>()
  for (const { path, bond } of paired.bonds) {
    if (begins(path, start) && !found.has(bond.field)) found.set(bond.field, bond)
  }
  return [...found.values()]
}

const begins = (path: Step[], start: Step[]) => start.every((step, at) => path[at] === step)

function bytes(message: NativeMessage): JsonLine[] {
  const text = message.payload_base64 ?? ''
  const count = Math.floor((text.length * 3) / 4)
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text
  return [{ path: [], depth: 0, name: null, text: `${count} bytes, as Base64: ${shown}`, whole: true }]
}
