// What each robot worked on and when. A bar is a task, a tick on it a report.

import './timeline.css'

import type { TaskRecord } from '../../api/types'
import { clock } from '../../live/time'
import { byName } from '../connections/order'
import { type Bar, bars, place, ticks, type Window } from './scale'
import { said, tone } from './states'

interface Props {
  tasks: TaskRecord[]
  window: Window
  chosen: string | null
  onChoose: (task: TaskRecord) => void
}

export const idOf = (task: TaskRecord) => `${task.robot}/${task.source}/${task.id}/${task.begun}`

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

export function Timeline({ tasks, window, chosen, onChoose }: Props) {
  const robots = [...new Set(tasks.map((task) => task.robot))].sort(byName)
  return (
    <div class="timeline">
      {robots.map((robot) => {
        const placed = bars(
          tasks.filter((task) => task.robot === robot),
          window,
        )
        const count = Math.max(1, ...placed.map((bar) => bar.row + 1))
        return (
          <div key={robot} class="track">
            <strong>{robot}</strong>
            <div class="lane" style={{ '--rows': count }}>
              <Grid window={window} />
              {placed.map((bar) => (
                <TaskBar
                  key={idOf(bar.task)}
                  bar={bar}
                  window={window}
                  chosen={idOf(bar.task) === chosen}
                  onChoose={onChoose}
                />
              ))}
            </div>
          </div>
        )
      })}
      <div class="axis" aria-hidden="true">
        <Times window={window} />
      </div>
    </div>
  )
}

function TaskBar({
  bar,
  window,
  chosen,
  onChoose,
}: { bar: Bar; chosen: boolean } & Omit<Props, 'tasks' | 'chosen'>) {
  const { task } = bar
  const left = place(bar.begun, window)
  const right = place(bar.ended ?? window.to, window)
  const length = Math.max(1, (bar.ended ?? window.to) - bar.begun)
  const shown = { from: Math.max(bar.begun, window.from), to: Math.min(bar.begun + length, window.to) }
  return (
    <button
      type="button"
      class={`bar ${tone(task.state)}`}
      data-open={bar.ended === null}
      aria-pressed={chosen}
      aria-label={`${task.robot}: ${task.kind}, ${said(task.state)}, begun ${clock(task.begun).slice(0, 8)}`}
      title={`${task.kind} ${task.id}: ${said(task.state)}`}
      style={{ left: `min(${percent(left)}, 100% - 24px)`, width: percent(right - left), '--row': bar.row }}
      onClick={() => onChoose(task)}
    >
      <span>
        {task.kind} <em>{said(task.state)}</em>
      </span>
      {task.reports
        .map((report) => Date.parse(report.at))
        .filter((at) => at > shown.from && at < shown.to)
        .map((at) => (
          <i key={at} style={{ left: percent((at - shown.from) / (shown.to - shown.from)) }} />
        ))}
    </button>
  )
}

const Grid = ({ window }: { window: Window }) => (
  <>
    {ticks(window, 6).map((at) => (
      <i key={at} class="grid" style={{ left: percent(place(at, window)) }} />
    ))}
  </>
)

const Times = ({ window }: { window: Window }) => (
  <>
    {ticks(window, 6).map((at) => (
      <span key={at} style={{ left: percent(place(at, window)) }}>
        {clock(new Date(at).toISOString()).slice(0, 5)}
      </span>
    ))}
  </>
)
