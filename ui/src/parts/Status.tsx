// How something is, shown by a word and a mark, never by colour alone.

import './status.css'

import { AlertTriangle, CircleCheck, CircleDashed, CircleHelp, CircleX } from 'lucide-preact'

export type Tone = 'good' | 'warn' | 'bad' | 'none' | 'busy'

const MARKS = { good: CircleCheck, warn: AlertTriangle, bad: CircleX, none: CircleHelp, busy: CircleDashed }

export function Status({ tone, children }: { tone: Tone; children: string }) {
  const Mark = MARKS[tone]
  return (
    <span class={`status ${tone}`}>
      <Mark size={14} aria-hidden="true" />
      {children}
    </span>
  )
}
