// Nothing to show, and why.

import './empty.css'

import type { ComponentChildren } from 'preact'

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
    </div>
  )
}
