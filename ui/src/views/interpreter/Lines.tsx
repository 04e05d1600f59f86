// A line to copy that brings the same into a terminal or a program, for the dialect and the tool that are chosen.

import './lines.css'

import { useState } from 'preact/hooks'

import type { Line } from '../../api/types'
import { grouped } from '../../live/group'
import { usePoll } from '../../live/poll'
import { CopyLine } from '../../parts/CopyLine'

const EVERY_MS = 30_000

/** What was chosen last, for the next thing that is looked at. */
let kept = { dialect: '', tool: '' }

export function Lines({ address }: { address: string }) {
  const lines = usePoll<{ lines: Line[] }>(`/api/v1/lines?key=${encodeURIComponent(address)}`, EVERY_MS)
  const [chosen, setChosen] = useState(kept)
  const byDialect = grouped(lines.value?.lines ?? [], (line) => line.dialect)
  const [dialect, own] = byDialect.find(([name]) => name === chosen.dialect) ?? byDialect[0] ?? ['', []]
  const tools = toolsOf(own)
  const tool = tools.includes(chosen.tool) ? chosen.tool : tools[0]
  const line = own[tools.indexOf(tool ?? '')]
  const choose = (dialect: string, tool: string) => setChosen((kept = { dialect, tool }))
  return (
    <section class="copylines" aria-label="Lines to copy">
      <div class="what">
        <h2>Get this yourself</h2>
        <Choice
          label="Dialect"
          names={byDialect.map(([name]) => name)}
          chosen={dialect}
          onChoose={(name) => choose(name, chosen.tool)}
        />
        <Choice
          label={`Tool for ${dialect}`}
          names={tools}
          chosen={tool}
          onChoose={(name) => choose(dialect, name)}
        />
      </div>
      {lines.error && !lines.value && <p class="muted">{lines.error}</p>}
      {line && <CopyLine key={line.line} label={`${line.tool}, ${line.dialect}`} line={line.line} />}
    </section>
  )
}

/** The names of tools; the second line for the same one is `curl 2`. */
function toolsOf(lines: Line[]): string[] {
  return lines.map((it, at) => {
    const before = lines.slice(0, at).filter((other) => other.tool === it.tool).length
    return before === 0 ? it.tool : `${it.tool} ${before + 1}`
  })
}

interface ChoiceProps {
  label: string
  names: string[]
  chosen: string | undefined
  onChoose: (name: string) => void
}

function Choice({ label, names, chosen, onChoose }: ChoiceProps) {
  return (
    <div class="names" role="group" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          class="button"
          type="button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
