// Lines to copy that bring the same into a terminal or a program, in each dialect and with each tool.

import './lines.css'

import { useState } from 'preact/hooks'

import { grouped } from '../../live/group'
import { usePoll } from '../../live/poll'
import { CopyLine } from '../../parts/CopyLine'
import type { Line } from '../../api/types'

const EVERY_MS = 30_000

export function Lines({ address }: { address: string }) {
  const lines = usePoll<{ lines: Line[] }>(`/api/v1/lines?key=${encodeURIComponent(address)}`, EVERY_MS)
  const byDialect = grouped(lines.value?.lines ?? [], (line) => line.dialect)
  return (
    <section class="copylines" aria-label="Lines to copy">
      <h2>Get this yourself</h2>
      {lines.error && !lines.value && <p class="muted">{lines.error}</p>}
      <div class="grid">
        {byDialect.map(([dialect, own]) => (
          <OfDialect key={dialect} dialect={dialect} lines={own} />
        ))}
      </div>
    </section>
  )
}

function OfDialect({ dialect, lines }: { dialect: string; lines: Line[] }) {
  const [chosen, choose] = useState(0)
  const tools = lines.map((it, at) => {
    const before = lines.slice(0, at).filter((other) => other.tool === it.tool).length
    return before === 0 ? it.tool : `${it.tool} ${before + 1}`
  })
  const line = lines[chosen] ?? lines[0]
  if (!line) return null
  return (
    <article>
      <h3>{dialect}</h3>
      {lines.length > 1 && (
        <div class="tools" role="group" aria-label={`Tool for ${dialect}`}>
          {tools.map((tool, at) => (
            <button
              key={tool}
              class="button"
              type="button"
              aria-pressed={at === chosen}
              onClick={() => choose(at)}
            >
              {tool}
            </button>
          ))}
        </div>
      )}
      <CopyLine key={chosen} label={`${line.tool}, ${dialect}`} line={line.line} />
    </article>
  )
}
