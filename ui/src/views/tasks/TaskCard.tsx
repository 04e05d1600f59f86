// One task with its reports.

import './taskcard.css'

import { useEffect, useRef } from 'preact/hooks'

import type { TaskRecord } from '../../api/types'
import { words } from '../../live/read'
import { age, clock, seconds } from '../../live/time'
import { Status } from '../../parts/Status'
import { said, tone } from './states'

const REPORTS = 60

export function TaskCard({
  task,
  open,
  onToggle,
}: {
  task: TaskRecord
  open: boolean
  onToggle: () => void
}) {
  const end = task.ended === null ? seconds.value : Date.parse(task.ended)
  const last = task.reports.at(-1)
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (open) card.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  return (
    <li class="taskcard panel" ref={card}>
      <button type="button" aria-expanded={open} onClick={onToggle}>
        <strong>{words(task.kind)}</strong>
        <Status tone={tone(task.state)}>{said(task.state)}</Status>
        <span class="muted">
          {task.robot}, {clock(task.begun).slice(0, 8)}, {task.ended === null ? 'for' : 'took'}{' '}
          {age(end - Date.parse(task.begun))}
        </span>
        {last?.reason && <span class="why">{last.reason}</span>}
      </button>
      {open && (
        <div class="details">
          <p class="muted">
            {task.source === 'navigation' ? 'Drive' : 'Task'} <code>{task.id}</code>{' '}
            <a href={`/robot/${encodeURIComponent(task.robot)}`}>Open {task.robot}</a>
          </p>
          <ol tabIndex={0} aria-label="Reports">
            {task.reports.slice(-REPORTS).map((report, at) => (
              <li key={at}>
                <time dateTime={report.at}>{clock(report.at)}</time>
                <span>
                  {said(report.state)}
                  {report.action && `: ${words(report.action).toLowerCase()}`}
                  {report.target && (
                    <>
                      {' '}
                      <strong>{report.target}</strong>
                    </>
                  )}
                  {report.reason && <span class="muted"> ({report.reason})</span>}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </li>
  )
}
