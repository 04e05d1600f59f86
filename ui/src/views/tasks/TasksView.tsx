// What the robots were asked for, and how far they got.

import './tasks.css'

import { ArrowRight } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'

import { useFeed } from '../../api/feeds'
import type { TaskRecord } from '../../api/types'
import { figures, robots } from '../../live/gateway'
import { usePoll } from '../../live/poll'
import { seconds } from '../../live/time'
import { Empty } from '../../parts/Empty'
import { byName } from '../connections/order'
import { passes, said } from './states'
import { TaskCard } from './TaskCard'
import { takersOf } from './takers'
import { idOf, Timeline } from './Timeline'

const WINDOWS: [string, number][] = [
  ['5 min', 300_000],
  ['15 min', 900_000],
  ['1 h', 3_600_000],
]
/** Reports come in bursts; the list is asked for once a second at most. */
const SETTLE_MS = 1_000
const EVERY_MS = 15_000
const SHOWN = 100

export function TasksView(_: { params: Record<string, string | undefined> }) {
  const again = useReports()
  const polled = usePoll<{ tasks: TaskRecord[] }>('/api/v1/tasks?n=500', EVERY_MS, again)
  const [span, setSpan] = useState(300_000)
  const [robot, setRobot] = useState('')
  const [state, setState] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  const all = polled.value?.tasks ?? []
  const tasks = all.filter((task) => passes(task, robot, state))
  const takers = takersOf(robots.value, figures.value)
  const states = [...new Set(all.map((task) => task.state))].sort()
  const choose = (task: TaskRecord) => {
    setChosen(chosen === idOf(task) ? null : idOf(task))
  }
  return (
    <div class="tasks">
      <div class="head">
        <h1>Tasks</h1>
        <div class="filters">
          <select
            class="field"
            aria-label="Robot"
            value={robot}
            onChange={(e) => setRobot(e.currentTarget.value)}
          >
            <option value="">All robots</option>
            {[...new Set(all.map((task) => task.robot))].sort(byName).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <select
            class="field"
            aria-label="State"
            value={state}
            onChange={(e) => setState(e.currentTarget.value)}
          >
            <option value="">All states</option>
            <option value="open">Not over yet</option>
            {states.map((it) => (
              <option key={it} value={it}>
                {said(it)}
              </option>
            ))}
          </select>
          <div class="spans" role="group" aria-label="Time shown">
            {WINDOWS.map(([label, ms]) => (
              <button
                key={ms}
                class="button"
                type="button"
                aria-pressed={span === ms}
                onClick={() => setSpan(ms)}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
      </div>
      {polled.error && !polled.value && <Empty title={polled.error} />}
      {polled.value && all.length === 0 && <Empty title="No tasks yet" />}
      {polled.value && all.length > 0 && tasks.length === 0 && <Empty title="No task is like this" />}
      {tasks.length > 0 && (
        <section class="panel" aria-label="Timeline">
          <Timeline
            tasks={tasks}
            window={{ from: seconds.value - span, to: seconds.value }}
            chosen={chosen}
            onChoose={choose}
          />
        </section>
      )}
      <div class="below">
        {tasks.length > 0 && (
          <section aria-label="Tasks, newest first">
            <h2>Newest first</h2>
            <ul>
              {tasks.slice(0, SHOWN).map((task) => (
                <TaskCard
                  key={idOf(task)}
                  task={task}
                  open={idOf(task) === chosen}
                  onToggle={() => choose(task)}
                />
              ))}
            </ul>
            {tasks.length > SHOWN && <p class="muted">{tasks.length - SHOWN} older ones are not shown.</p>}
          </section>
        )}
        <section class="new" aria-label="New task">
          <h2>New task</h2>
          <p class="muted">
            {takers.length > 0 ? 'Tasks are given on the page of a robot.' : 'No robot here takes tasks.'}
          </p>
          <ul>
            {takers.map((it) => (
              <li key={it.robot}>
                <a class="button" href={`/robot/${encodeURIComponent(it.robot)}`}>
                  <span>
                    {it.robot}
                    {it.link.state !== 'up' && <span class="muted">, not connected</span>}
                  </span>
                  <ArrowRight size={14} aria-hidden="true" />
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  )
}

/** Grows when some robot reported on a task or drive. */
function useReports(): number {
  const [count, setCount] = useState(0)
  const feed = useFeed({ select: '*/task,*/navigation', pick: 'id,state', batch: '250ms' })
  useEffect(() => {
    let timer = 0
    const stop = feed.listen(() => {
      if (timer !== 0) return
      timer = window.setTimeout(() => {
        timer = 0
        setCount((before) => before + 1)
      }, SETTLE_MS)
    })
    return () => {
      stop()
      window.clearTimeout(timer)
    }
  }, [feed])
  return count
}
