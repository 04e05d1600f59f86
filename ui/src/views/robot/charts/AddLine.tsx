// Chooses a number to draw: what the robot has published, its part, its field, and the chart to put it in.

import { Plus } from 'lucide-preact'
import { useState } from 'preact/hooks'

import { kinds } from '../../../live/gateway'
import { words } from '../../../live/read'
import { drawnWith, type Shown } from '../robotFeed'
import { shown } from '../units'
import { numericFields } from './fields'
import { MOST_LINES, type Recorder } from './recorder'
import { LEAST } from './series'

interface Source {
  /** As the form's choice: kind, and part if there is one. */
  id: string
  kind: string
  part: string | null
  name: string
}

export function AddLine({ robot, feed, recorder }: Shown & { recorder: Recorder }) {
  drawnWith(Math.floor(feed.tick.value / 10))
  const sources = sourcesOf([...feed.values.values()].map(({ update }) => update))
  const [id, setId] = useState('')
  const [path, setPath] = useState('')
  const [chart, setChart] = useState('new')
  const source = sources.find((it) => it.id === id) ?? sources[0]
  const fields = numericFields(source && kinds.value[source.kind])
  const field = fields.find((it) => it.path === path) ?? fields[0]
  const full = recorder.count >= MOST_LINES
  const into = recorder.charts.value.find((it) => String(it.id) === chart)
  const add = (event: Event) => {
    event.preventDefault()
    if (source && field)
      recorder.add({ kind: source.kind, part: source.part, path: field.path, unit: field.unit }, into?.id)
  }
  return (
    <form class="addline" onSubmit={add} aria-label={`Add a value of ${robot.robot} to a chart`}>
      <label>
        Source
        <select class="field" value={source?.id} onChange={(event) => setId(event.currentTarget.value)}>
          {sources.map((it) => (
            <option key={it.id} value={it.id}>
              {it.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Value
        <select class="field" value={field?.path} onChange={(event) => setPath(event.currentTarget.value)}>
          {fields.map((it) => (
            <option key={it.path} value={it.path} title={it.summary}>
              {it.path} {shown(it.unit).unit && `(${shown(it.unit).unit})`}
            </option>
          ))}
        </select>
      </label>
      <label>
        Into
        <select
          class="field"
          value={into ? chart : 'new'}
          onChange={(event) => setChart(event.currentTarget.value)}
        >
          <option value="new">a new chart</option>
          {recorder.charts.value.map((it, at) => (
            <option key={it.id} value={String(it.id)}>
              chart {at + 1}
            </option>
          ))}
        </select>
      </label>
      <button class="button primary" type="submit" disabled={full || !field}>
        <Plus size={16} aria-hidden="true" /> Add
      </button>
      {full && <span class="muted">{MOST_LINES} lines at most; remove one first.</span>}
    </form>
  )
}

/** Published kinds that have numbers; kinds with several parts also as the least of them. */
function sourcesOf(updates: { kind: string; part: string | null }[]): Source[] {
  const sources: Source[] = []
  const parts = new Map<string, number>()
  for (const { kind, part } of updates) {
    if (numericFields(kinds.value[kind]).length === 0) continue
    parts.set(kind, (parts.get(kind) ?? 0) + 1)
    const name = part ? `${words(kind)}, ${part.replaceAll('_', ' ')}` : words(kind)
    sources.push({ id: `${kind}/${part ?? ''}`, kind, part, name })
  }
  for (const [kind, count] of parts) {
    if (count > 1) sources.push({ id: `${kind}/*`, kind, part: LEAST, name: `${words(kind)}, least of all` })
  }
  return sources.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}
