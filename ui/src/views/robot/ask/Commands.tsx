// Any other command that the robot takes, by the gateway's description of it.

import { Send } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'

import { command, get } from '../../../api/http'
import { attempt } from '../../../parts/toast'
import type { Shown } from '../robotFeed'
import { type Described, described, type Field, type OpenApi, written } from './described'

/** What has a place of its own on the page, for every robot. */
const ELSEWHERE = ['drive', 'stop', 'halt', 'emergency_stop', 'lamp', 'play', 'task']

export function Commands({ robot, figure }: Shown) {
  const all = useDescribed(figure?.commands ?? [])
  const [chosen, setChosen] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const it = all.find(({ name }) => name === chosen) ?? all[0]
  if (it === undefined) return null
  const give = (event: Event) => {
    event.preventDefault()
    void attempt(command(robot.robot, written(it, values)), `${it.name} is given`)
  }
  return (
    <form class="taskform" onSubmit={give}>
      <div class="row">
        <select
          class="field grow"
          aria-label="Command"
          value={it.name}
          onChange={(event) => {
            setChosen(event.currentTarget.value)
            setValues({})
          }}
        >
          {all.map(({ name }) => (
            <option key={name} value={name}>
              {name.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
        <button class="button" type="submit">
          <Send size={16} aria-hidden="true" /> Give
        </button>
      </div>
      <span class="muted">{it.summary}</span>
      {it.fields.map((field) => (
        <Value
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          set={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
    </form>
  )
}

interface ValueProps {
  field: Field
  value: string
  set: (value: string) => void
}

function Value({ field, value, set }: ValueProps) {
  const { name, kind, required, summary } = field
  const words = kind === 'switch' ? ['true', 'false'] : field.words
  return (
    <label class="row" title={summary}>
      <span>{name}</span>
      {words.length > 0 ? (
        <select
          class="field grow"
          required={required}
          value={value}
          onChange={(event) => set(event.currentTarget.value)}
        >
          <option value="">{required ? '' : 'as usual'}</option>
          {words.map((word) => (
            <option key={word} value={word}>
              {word}
            </option>
          ))}
        </select>
      ) : (
        <input
          class="field grow"
          type={kind === 'number' ? 'number' : 'text'}
          step="any"
          required={required}
          placeholder={summary}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </label>
  )
}

/** The commands of some names, once the gateway has described them. */
function useDescribed(names: readonly string[]): Described[] {
  const [api, setApi] = useState<OpenApi | null>(null)
  useEffect(() => {
    let here = true
    get<OpenApi>('/api/v1/openapi.json')
      .then((it) => {
        if (here) setApi(it)
      })
      .catch(() => undefined)
    return () => {
      here = false
    }
  }, [])
  if (api === null) return []
  return described(api, new Set(names.filter((name) => !ELSEWHERE.includes(name))))
}
