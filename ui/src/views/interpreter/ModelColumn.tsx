// The common model's side: every field with its value, its unit and what it means.

import type { KindShape, Update } from '../../api/types'
import { clock } from '../../live/time'
import { Provenance } from '../../parts/Provenance'
import { isLit, lighting } from './lit'
import { Mark, NoMark } from './Mark'
import { Note } from './Note'
import { type Bond, KIND, PART, TIME } from './pairing'
import { type Row, rows } from './rows'

interface Props {
  update: Update
  shape: KindShape | undefined
  numbers: Map<string, number>
}

export function ModelColumn({ update, shape, numbers }: Props) {
  return (
    <section class="column model panel" aria-label="The common model">
      <header>
        <h2>Common model</h2>
        <span class="mono muted">{update.kind}</span>
      </header>
      {shape && <p class="about muted">{shape.summary}</p>}
      {update.provenance && (
        <p class="about">
          <Provenance of={update.provenance} />
        </p>
      )}
      <ul class="fields">
        {[...around(update), ...rows(shape?.fields ?? [], update.data ?? {})].map((row) => (
          <FieldRow
            key={`${row.field}@${row.at.join()}${row.name}`}
            row={row}
            number={numbers.get(row.field)}
          />
        ))}
      </ul>
    </section>
  )
}

function FieldRow({ row, number }: { row: Row; number: number | undefined }) {
  const bonds: Bond[] = number === undefined ? [] : [{ field: row.field, at: row.at }]
  return (
    <li data-lit={isLit(bonds)} data-depth={Math.min(row.depth, 4)} {...lighting(bonds)}>
      {number === undefined ? <NoMark /> : <Mark number={number} label={row.name} />}
      <div>
        <span class="name mono">{row.name}</span>
        <span class={row.missing ? 'value muted' : 'value'}>{row.value}</span>
        {row.meaning && (
          <small class="muted">
            <Note text={meaning(row)} />
          </small>
        )}
      </div>
    </li>
  )
}

const meaning = (row: Row) => (row.unit === 'ratio' ? `${row.meaning} A share of 1.` : row.meaning)

/** What every update tells beside its record. */
function around(update: Update): Row[] {
  const row = (field: string, name: string, value: string, meaning: string): Row => ({
    field,
    at: [],
    depth: 0,
    name,
    value,
    missing: false,
    unit: null,
    meaning,
  })
  const by = update.stamp.clock === 'robot' ? "By the robot's clock." : "By the gateway's clock."
  const part = update.part === null ? [] : [row(PART, 'part', update.part, 'Which part of the robot.')]
  const kind = row(KIND, 'kind', update.kind, 'The kind of signal.')
  return [kind, ...part, row(TIME, 'stamp', clock(update.stamp.at), by)]
}
