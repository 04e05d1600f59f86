// A titled part of the robot's page that can be folded away; what is folded is not there and asks for nothing.

import './panel.css'

import { ChevronDown } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

interface Props {
  title: string
  /** A name of a class, for the panel's own looks. */
  kind?: string
  /** To the right of the title. */
  aside?: ComponentChildren
  closed?: boolean
  children: ComponentChildren
}

/** What was folded away, by title, as long as the page is open. */
const folded = new Map<string, boolean>()

export function Panel({ title, kind, aside, closed = false, children }: Props) {
  const [open, setOpen] = useState(!(folded.get(title) ?? closed))
  const id = useId()
  const turn = () => {
    folded.set(title, open)
    setOpen(!open)
  }
  return (
    <section class={`panel rpanel ${kind ?? ''}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <button type="button" class="fold" aria-expanded={open} onClick={turn}>
            <ChevronDown size={16} aria-hidden="true" />
            {title}
          </button>
        </h2>
        <span class="spread" />
        {open && aside}
      </header>
      {open && <div class="body">{children}</div>}
    </section>
  )
}
