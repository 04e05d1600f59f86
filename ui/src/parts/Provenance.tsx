// From what the gateway derived a value, and how; nothing for what a robot published.

import './provenance.css'

import type { Provenance as Origin } from '../api/types'

export function Provenance({ of }: { of: Origin | undefined }) {
  if (!of) return null
  return (
    <small class="provenance">
      derived from <code>{of.from}</code>: {of.how}
    </small>
  )
}
