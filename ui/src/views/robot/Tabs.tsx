// The three parts of the robot's page.

import { useRef } from 'preact/hooks'

const TABS = [
  { tab: 'live', label: 'Live' },
  { tab: 'charts', label: 'Charts' },
  { tab: 'values', label: 'Values' },
] as const

export type Tab = (typeof TABS)[number]['tab']

export function Tabs({ tab, onTab }: { tab: Tab; onTab: (tab: Tab) => void }) {
  const list = useRef<HTMLDivElement>(null)
  // As the pattern of tabs wants it: arrows move, one stop of the tabulator for all.
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = TABS.findIndex((it) => it.tab === tab)
    const next = TABS[(at + step + TABS.length) % TABS.length]
    if (!next) return
    onTab(next.tab)
    list.current?.querySelector<HTMLButtonElement>(`#tab-${next.tab}`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label="Parts of this page" ref={list} onKeyDown={move}>
      {TABS.map((it) => (
        <button
          key={it.tab}
          id={`tab-${it.tab}`}
          type="button"
          role="tab"
          aria-selected={it.tab === tab}
          aria-controls="robot-tab"
          tabIndex={it.tab === tab ? 0 : -1}
          onClick={() => onTab(it.tab)}
        >
          {it.label}
        </button>
      ))}
    </div>
  )
}
