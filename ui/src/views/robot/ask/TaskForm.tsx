// Gives a task: what to do, and with what, from where, where to, as names and values.

import { Plus, Send, X } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'

import { command, get } from '../../../api/http'
import type { TaskRecord } from '../../../api/types'
import { attempt } from '../../../parts/toast'

interface Parameter {
  name: string
  value: string
}

const NEW: Parameter = { name: '', value: '' }
const START: Parameter[] = [
  { name: 'object', value: '' },
  { name: 'from', value: '' },
  { name: 'to', value: '' },
]

export function TaskForm({ robot }: { robot: string }) {
  const [kind, setKind] = useState('')
  const [parameters, setParameters] = useState(START)
  const [priority, setPriority] = useState(3)
  const known = useKnownKinds(robot)
  const change = (at: number, part: Partial<Parameter>) =>
    setParameters(parameters.map((it, index) => (index === at ? { ...it, ...part } : it)))
  const give = (event: Event) => {
    event.preventDefault()
    const given = parameters.filter((it) => it.name.trim() !== '' && it.value.trim() !== '')
    const id = `page-${Date.now()}`
    void attempt(
      command(robot, {
        command: 'task',
        id,
        kind: kind.trim(),
        parameters: Object.fromEntries(given.map((it) => [it.name.trim(), it.value.trim()])),
        priority,
      }),
      `Task ${id} is given`,
    )
  }
  return (
    <form class="taskform" onSubmit={give}>
      <div class="row">
        <input
          class="field grow"
          required
          list="task-kinds"
          placeholder="What, e.g. bring"
          aria-label="What to do"
          value={kind}
          onInput={(event) => setKind(event.currentTarget.value)}
        />
        <datalist id="task-kinds">
          {known.map((it) => (
            <option key={it} value={it} />
          ))}
        </datalist>
        <select
          class="field"
          aria-label="Priority"
          value={String(priority)}
          onChange={(event) => setPriority(Number(event.currentTarget.value))}
        >
          {['1, urgent', '2', '3, usual', '4', '5, can wait'].map((name, at) => (
            <option key={name} value={String(at + 1)}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {parameters.map((it, at) => (
        <div class="row" key={at}>
          <input
            class="field name"
            placeholder="Name"
            aria-label={`Name of parameter ${at + 1}`}
            value={it.name}
            onInput={(event) => change(at, { name: event.currentTarget.value })}
          />
          <input
            class="field grow"
            placeholder="Value; leave empty for none"
            aria-label={`Value of ${it.name || `parameter ${at + 1}`}`}
            value={it.value}
            onInput={(event) => change(at, { value: event.currentTarget.value })}
          />
          <button
            class="button quiet small"
            type="button"
            aria-label={`Remove ${it.name || `parameter ${at + 1}`}`}
            onClick={() => setParameters(parameters.filter((_, index) => index !== at))}
          >
            <X size={16} />
          </button>
        </div>
      ))}
      <div class="row">
        <button class="button quiet" type="button" onClick={() => setParameters([...parameters, NEW])}>
          <Plus size={16} aria-hidden="true" /> Parameter
        </button>
        <span class="spread" />
        <button class="button" type="submit">
          <Send size={16} aria-hidden="true" /> Give
        </button>
      </div>
      <a href="/tasks">How tasks stand</a>
    </form>
  )
}

/** The kinds of the robot's tasks so far, to choose from. */
function useKnownKinds(robot: string): string[] {
  const [kinds, setKinds] = useState<string[]>([])
  useEffect(() => {
    let here = true
    get<{ tasks: TaskRecord[] }>(`/api/v1/tasks?robot=${encodeURIComponent(robot)}&n=50`)
      .then(({ tasks }) => {
        const names = tasks.filter((it) => it.source === 'task').map((it) => it.kind)
        if (here) setKinds([...new Set(names)].sort())
      })
      .catch(() => undefined)
    return () => {
      here = false
    }
  }, [robot])
  return kinds
}
