// Records the charts of a robot while the page is open, also while another view is shown.
//
// The page remembers the charts of the robots that were looked at last; each has eight lines at most, and a
// line has bounded memory (see history.ts), so that a page left open does not grow.

import { effect, signal } from '@preact/signals'

import type { Feed } from '../../../api/feed'
import { acquire, release } from '../../../api/feeds'
import { get } from '../../../api/http'
import type { Samples } from '../../../api/types'
import { robots } from '../../../live/gateway'
import { idOf, LEAST, Series, type SeriesSpec } from './series'

export const MOST_LINES = 8
const MOST_ROBOTS = 3
const EVERY = '200ms'
const SILENCE_MS = 1_000

export interface Chart {
  id: number
  lines: Series[]
}

let nextId = 1

export class Recorder {
  readonly charts = signal<Chart[]>([])
  private feed: { close: () => void } | null = null
  private select = ''
  private readonly timer = window.setInterval(() => this.look(), SILENCE_MS)

  constructor(readonly robot: string) {}

  get count(): number {
    return this.charts.value.reduce((sum, chart) => sum + chart.lines.length, 0)
  }

  /** Adds a line to a chart, or to a new one; whether there was room. */
  add(spec: SeriesSpec, chart?: number): boolean {
    if (this.count >= MOST_LINES) return false
    const known = this.charts.value.find((it) => it.id === chart)
    if (known?.lines.some((line) => idOf(line.spec) === idOf(spec))) return true
    const line = new Series(spec)
    this.charts.value = known
      ? this.charts.value.map((it) => (it === known ? { ...it, lines: [...it.lines, line] } : it))
      : [...this.charts.value, { id: nextId++, lines: [line] }]
    void this.fill(line)
    return true
  }

  /** Begins a line with what the gateway kept of it. */
  private async fill(line: Series): Promise<void> {
    const path = `/api/v1/history?select=${encodeURIComponent(this.keyOf(line.spec))}`
    try {
      const { now_ms, samples } = await get<{ now_ms: number; samples: Samples[] }>(path)
      line.past(samples, now_ms - Date.now())
    } catch {
      // It begins now, then.
    }
    line.ready = true
    this.listen()
  }

  private keyOf({ kind, part }: SeriesSpec): string {
    return [this.robot, kind, ...(part === null ? [] : [part === LEAST ? '**' : part])].join('/')
  }

  remove(chart: number, line: Series): void {
    this.charts.value = this.charts.value
      .map((it) => (it.id === chart ? { ...it, lines: it.lines.filter((other) => other !== line) } : it))
      .filter((it) => it.lines.length > 0)
    this.listen()
  }

  close(): void {
    window.clearInterval(this.timer)
    this.charts.value = []
    this.listen()
  }

  private lines(): Series[] {
    return this.charts.value.flatMap((chart) => chart.lines)
  }

  /** Follows the keys of all lines. */
  private listen(): void {
    const ready = this.lines().filter((line) => line.ready)
    const keys = ready.map(({ spec }) => this.keyOf(spec))
    const select = [...new Set(keys)].sort().join(',')
    if (select === this.select) return
    this.select = select
    this.feed?.close()
    this.feed = select === '' ? null : this.follow(select)
  }

  private follow(select: string) {
    const request = { select, every: EVERY, batch: EVERY }
    const feed: Feed = acquire(request)
    const off = feed.listen((update) => {
      const at = Date.now()
      for (const line of this.lines()) {
        if (line.follows(update.kind, update.part)) line.take(at, update.part, update.data)
      }
    })
    const watch = effect(() => {
      if (feed.state.value === 'lost') this.lines().forEach((line) => line.lost(Date.now()))
    })
    return {
      close: () => {
        off()
        watch()
        release(request)
      },
    }
  }

  private look(): void {
    const at = Date.now()
    const link = robots.value.find((robot) => robot.robot === this.robot)?.link.state
    for (const line of this.lines()) {
      if (link === 'up') line.silence(at)
      else line.lost(at)
    }
  }
}

const recorders = new Map<string, Recorder>()

/** The recorder of a robot; `begin` gives the lines it starts with. The one not used for longest goes. */
export function recorderOf(robot: string, begin: () => SeriesSpec[][]): Recorder {
  const known = recorders.get(robot)
  if (known) {
    recorders.delete(robot)
    recorders.set(robot, known)
    return known
  }
  const oldest = recorders.entries().next()
  if (recorders.size >= MOST_ROBOTS && !oldest.done) {
    oldest.value[1].close()
    recorders.delete(oldest.value[0])
  }
  const recorder = new Recorder(robot)
  recorders.set(robot, recorder)
  for (const lines of begin()) {
    const before = new Set(recorder.charts.value.map((chart) => chart.id))
    for (const line of lines)
      recorder.add(line, recorder.charts.value.find((chart) => !before.has(chart.id))?.id)
  }
  return recorder
}
