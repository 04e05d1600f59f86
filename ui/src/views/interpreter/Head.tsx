// The title of a part of the interpreter, with the way to the other part.

import './interpreter.css'

import type { ComponentChildren } from 'preact'

const PARTS = { '/interpreter': 'One event', '/interpreter/matrix': 'Matrix' } as const

interface Props {
  title: string
  here: keyof typeof PARTS
  children: ComponentChildren
}

export function Head({ title, here, children }: Props) {
  return (
    <div class="head">
      <h1>{title}</h1>
      <p class="muted">{children}</p>
      <nav class="parts" aria-label="Parts of the interpreter">
        {Object.entries(PARTS).map(([address, label]) => (
          <a key={address} class="button" href={address} aria-current={address === here ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </div>
  )
}
