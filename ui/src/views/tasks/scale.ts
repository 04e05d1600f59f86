// From times to places on the timeline, and which bars share a row.

import type { TaskRecord } from '../../api/types'

export interface Window {
  from: number
  to: number
}

/** Where a time stands in a window, 0 to 1; outside it is cut. */
export function place(at: number, { from, to }: Window): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)))
}

const STEPS_MS = [10, 30, 60, 120, 300, 600, 900, 1800, 3600].map((s) => s * 1000)

/** Round times, about as many as wanted. */
export function ticks({ from, to }: Window, wanted: number): number[] {
  const step = STEPS_MS.find((it) => (to - from) / it <= wanted) ?? 3_600_000
  const found: number[] = []
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) found.push(at)
  return found
}

export interface Bar {
  task: TaskRecord
  begun: number
  ended: number | null
  /** Which row of its robot. */
  row: number
}

/** A bar is never smaller than this share of a window, so that a finger can hit it on a phone, too. */
const LEAST = 0.16

/** The tasks that are seen in a window, each on the first row that is free. */
export function bars(tasks: TaskRecord[], window: Window): Bar[] {
  const seen = tasks
    .map((task) => ({
      task,
      begun: Date.parse(task.begun),
      ended: task.ended === null ? null : Date.parse(task.ended),
    }))
    .filter((it) => it.begun <= window.to && (it.ended ?? window.to) >= window.from)
    .sort((one, other) => one.begun - other.begun)
  const free: number[] = []
  const least = (window.to - window.from) * LEAST
  return seen.map((it) => {
    // Where it is drawn: at the window's edges a small bar is moved inward.
    const from = Math.max(window.from, Math.min(it.begun, window.to - least))
    const found = free.findIndex((end) => end <= from)
    const row = found < 0 ? free.length : found
    free[row] = Math.max(it.ended ?? Infinity, from + least)
    return { ...it, row }
  })
}
