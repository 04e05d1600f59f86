// A searchable list of what the robot tells.

import './keychooser.css'

import { Search } from 'lucide-preact'
import { useId, useRef, useState } from 'preact/hooks'

import { type Key, matching } from './keys'

interface Props {
  keys: Key[]
  chosen: Key | null
  onChoose: (key: Key) => void
}

export function KeyChooser({ keys, chosen, onChoose }: Props) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  /** What is searched for, while the list is open. */
  const [search, setSearch] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const open = search !== null
  const found = matching(keys, search ?? '')

  const begin = () => {
    setSearch('')
    setAt(
      Math.max(
        0,
        keys.findIndex((key) => key.name === chosen?.name),
      ),
    )
  }
  const choose = (key: Key | undefined) => {
    setSearch(null)
    if (key) onChoose(key)
  }
  const move = (to: number) => {
    setAt(to)
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) begin()
      else if (found.length > 0)
        move((at + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % found.length)
    } else if (event.key === 'Enter' && open) choose(found[at])
    else if (event.key === 'Escape' && open) {
      event.preventDefault()
      setSearch(null)
    }
  }

  return (
    <div class="keychooser">
      <Search size={16} aria-hidden="true" />
      <input
        class="field mono"
        type="text"
        role="combobox"
        aria-label="What the robot tells: kind and part"
        aria-expanded={open}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={open && found[at] ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder="Search, e.g. range left"
        value={search ?? chosen?.name ?? ''}
        onFocus={begin}
        onClick={() => !open && begin()}
        onBlur={() => setSearch(null)}
        onInput={(event) => {
          setSearch(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} ref={list} role="listbox" aria-label="Kinds and parts" hidden={!open} class="panel">
        {found.map((key, index) => (
          <li
            key={key.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            class="mono"
            // Before the input loses the focus and closes the list.
            onPointerDown={(event) => {
              event.preventDefault()
              choose(key)
            }}
          >
            {key.kind}
            {key.part !== null && <span class="muted">/{key.part}</span>}
          </li>
        ))}
        {found.length === 0 && <li class="muted">Nothing is called so</li>}
      </ul>
    </div>
  )
}
