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
  const [tool, setTool] = useState<string | null>(null)
  const line = lines.find((it) => it.tool === tool) ?? lines[0]
  if (!line) return null
  return (
    <article>
      <h3>{dialect}</h3>
      {lines.length > 1 && (
        <div class="tools" role="group" aria-label={`Tool for ${dialect}`}>
          {lines.map((it) => (
            <button
              key={it.tool}
              class="button"
              type="button"
              aria-pressed={it === line}
              onClick={() => setTool(it.tool)}
            >
              {it.tool}
            </button>
          ))}
        </div>
      )}
      <CopyLine key={line.tool} label={`${line.tool}, ${dialect}`} line={line.line} />
    </article>
  )
}
