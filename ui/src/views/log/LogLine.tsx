// One line of the log; opened, it shows the gateway's message.

import './logline.css'

import { AlertTriangle, ChevronRight, CircleX } from 'lucide-preact'
import { memo } from 'preact/compat'
import { useState } from 'preact/hooks'

import { clock } from '../../live/time'
import type { Entry } from './book'

export const LogLine = memo(function LogLine({ entry }: { entry: Entry }) {
  const [open, setOpen] = useState(false)
  const what = entry.part === null ? entry.kind : `${entry.kind}/${entry.part}`
  return (
    <li class={`logline ${entry.severity}`}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={14} aria-hidden="true" />
        <time dateTime={entry.at}>{clock(entry.at)}</time>
        <span class="who">{entry.robot}</span>
        <span class="what mono">{what}</span>
        <span class="said">
          {entry.severity === 'error' && <CircleX size={14} aria-label="Error" />}
          {entry.severity === 'warning' && <AlertTriangle size={14} aria-label="Warning" />}
          {entry.words}
        </span>
      </button>
      {open && (
        <div class="more">
          <pre tabIndex={0} aria-label="As JSON">
            {JSON.stringify(entry.frame, null, 2)}
          </pre>
          {entry.frame.type === 'update' && (
            <a href={`/interpreter/${entry.frame.key}`}>See it in the interpreter</a>
          )}
        </div>
      )}
    </li>
  )
})
