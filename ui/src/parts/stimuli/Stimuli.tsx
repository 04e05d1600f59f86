// Happenings for a simulated robot, one at a time, with what belongs to each.

import './stimuli.css'

import { Zap } from 'lucide-preact'
import { useState } from 'preact/hooks'

import { poke } from '../../api/http'
import type { Figure } from '../../api/types'
import { attempt } from '../toast'
import { type Entry, formsFor, partsFor, pokeOf } from './stimuli'

interface Props {
  robot: string
  figure: Figure | undefined
}

export function Stimuli({ robot, figure }: Props) {
  const forms = formsFor(figure)
  const [chosen, setChosen] = useState(0)
  const [given, setGiven] = useState<Record<string, string>>({})
  const form = forms[chosen]
  if (!form) return null
  const parts = partsFor(figure, form.stimulus)
  const needsPart = form.entries.some((entry) => entry.kind === 'part')
  const part = parts.find((it) => it.part === given['part'])?.part ?? parts[0]?.part
  const send = (event: Event) => {
    event.preventDefault()
    const body = pokeOf(form, part === undefined ? given : { ...given, part })
    void attempt(poke(robot, body), `${form.label}: done`)
  }
  return (
    <form class="stimuli" onSubmit={send}>
      <label>
        What
        <select
          class="field"
          value={String(chosen)}
          onChange={(event) => {
            setChosen(Number(event.currentTarget.value))
            setGiven({})
          }}
        >
          {forms.map((it, at) => (
            <option key={it.label} value={String(at)}>
              {it.label}
            </option>
          ))}
        </select>
      </label>
      {form.entries.map((entry) =>
        entry.kind === 'part' ? (
          <label key="part">
            {entry.label}
            <select
              class="field"
              value={part}
              onChange={(event) => setGiven({ ...given, part: event.currentTarget.value })}
            >
              {parts.map((it) => (
                <option key={it.part} value={it.part}>
                  {it.label}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <EntryField
            key={entry.name}
            entry={entry}
            value={given[entry.name] ?? entry.first}
            onValue={(value) => setGiven({ ...given, [entry.name]: value })}
          />
        ),
      )}
      <button class="button" type="submit" disabled={needsPart && part === undefined}>
        <Zap size={16} aria-hidden="true" /> Do it
      </button>
    </form>
  )
}

interface FieldProps {
  entry: Entry
  value: string
  onValue: (value: string) => void
}

function EntryField({ entry, value, onValue }: FieldProps) {
  return (
    <label>
      {entry.label}
      {entry.unit && `, ${entry.unit}`}
      <input
        class="field"
        type={entry.kind === 'number' ? 'number' : 'text'}
        step="any"
        min={entry.min}
        max={entry.max}
        placeholder={entry.optional && entry.kind === 'number' ? 'as usual' : undefined}
        required={!entry.optional}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </label>
  )
}
