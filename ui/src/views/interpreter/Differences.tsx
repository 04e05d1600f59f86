// What is called or counted differently, in words; what has no partner, and why.

import { ArrowRight } from 'lucide-preact'

import type { Field, KindShape, Update } from '../../api/types'
import { grouped } from '../../live/group'
import { leafName, plain, SAME, unitChange } from './change'
import { isLit, lighting } from './lit'
import { Mark } from './Mark'
import { Note } from './Note'
import { KIND, type Paired, type Pairing, PART, TIME, unpaired } from './pairing'
import { written } from './paths'

interface Props {
  update: Update
  paired: Paired
  numbers: Map<string, number>
  shape: KindShape | undefined
}

/** So many are shown without being asked for. */
const FEW = 6

const AROUND: Record<string, string> = { [PART]: 'part', [KIND]: 'kind', [TIME]: 'stamp' }

export function Differences({ update, paired, numbers, shape }: Props) {
  if (!paired.message) {
    return <p class="note muted">There is no list of this message's fields, so none are marked.</p>
  }
  const rank = (it: Pairing) => numbers.get(it.field ?? '') ?? 0
  const matched = paired.pairings
    .filter((it) => it.field !== null)
    .sort((one, other) => rank(one) - rank(other))
  const alone = paired.pairings.filter((it) => it.field === null)
  const silent = unpaired(update, [paired])
  return (
    <div class="differences">
      {matched.length > 0 && <h3>What it is called here</h3>}
      <ul>
        {matched.map((it) => (
          <Matched key={it.pair.wire + (it.field ?? '')} pairing={it} numbers={numbers} shape={shape} />
        ))}
      </ul>
      {alone.length > 0 && <Alone pairings={alone} />}
      {silent.length > 0 && (
        <>
          <h3>Not in this message</h3>
          <p class="silent">
            {silent.map((field) => (
              <code key={field}>{field}</code>
            ))}
          </p>
        </>
      )}
    </div>
  )
}

/** Fields without a partner, those with the same note together. */
function Alone({ pairings }: { pairings: Pairing[] }) {
  const groups = grouped(pairings, (it) => it.pair.note ?? 'nothing in the model is like it')
  const notes = (
    <ul class="alone">
      {groups.map(([note, own]) => (
        <li key={note}>
          {own.map((it) => (
            <code key={it.pair.wire}>{written(it.wire.path) || 'the message'}</code>
          ))}
          <span class="muted">
            <Note text={note} />
          </span>
        </li>
      ))}
    </ul>
  )
  if (groups.length <= FEW) {
    return (
      <>
        <h3>Only in this message</h3>
        {notes}
      </>
    )
  }
  return (
    <details>
      <summary>
        <h3>Only in this message: {pairings.length} fields</h3>
      </summary>
      {notes}
    </details>
  )
}

function Matched({ pairing, numbers, shape }: { pairing: Pairing } & Pick<Props, 'numbers' | 'shape'>) {
  const { pair, field, wire, model } = pairing
  if (field === null) return null
  const unit = unitOf(shape?.fields ?? [], field)
  const name = AROUND[field] ?? field
  const bonds = [{ field, at: [] }]
  const wireName = written(wire.path) || 'the message'
  const renamed = leafName(name) !== leafName(wireName)
  const change = field in AROUND ? null : unitChange(unit, pair)
  return (
    <li data-lit={isLit(bonds)} {...lighting(bonds)}>
      <Mark number={numbers.get(field) ?? 0} label={`${name} is ${wireName}`} />
      <div>
        <span>
          <code>{name}</code> {plain(model?.value, unit)}
        </span>
        <span>
          <ArrowRight size={13} aria-label="becomes" /> <code data-renamed={renamed}>{wireName}</code>{' '}
          {plain(wire.value, pair.unit)}
          {change !== null && <em data-same={change === SAME}>{change}</em>}
        </span>
        {pair.turn && (
          <small class="muted">numbers that differ by {plain(pair.turn, pair.unit)} mean the same</small>
        )}
        {pair.note && (
          <small class="muted">
            <Note text={pair.note} />
          </small>
        )}
      </div>
    </li>
  )
}

function unitOf(fields: Field[], path: string): string | null {
  const [name, ...rest] = path.split('.')
  const found = fields.find((it) => it.name === name)
  if (!found) return null
  if (rest.length === 0) return found.unit
  return unitOf(found.fields ?? found.item?.fields ?? [], rest.join('.'))
}
