import { describe, expect, it } from 'vitest'

import type { TaskRecord } from '../../api/types'
import { bars, place, ticks } from './scale'
import { passes } from './states'

const at = (s: number) => new Date(s * 1000).toISOString()
const task = (id: string, begun: number, ended: number | null, state = 'progress'): TaskRecord => ({
  robot: 'r',
  id,
  kind: 'bring',
  state,
  source: 'task',
  begun: at(begun),
  updated: at(begun),
  ended: ended === null ? null : at(ended),
  reports: [],
  left_out: 0,
})

describe('timeline', () => {
  const window = { from: 0, to: 300_000 }

  it('places times and cuts what is outside', () => {
    expect(place(150_000, window)).toBe(0.5)
    expect(place(-1, window)).toBe(0)
    expect(place(900_000, window)).toBe(1)
  })

  it('ticks at round times', () => {
    expect(ticks({ from: 5_000, to: 305_000 }, 6)).toEqual([60_000, 120_000, 180_000, 240_000, 300_000])
    expect(ticks({ from: 0, to: 3_600_000 }, 6)).toHaveLength(7)
  })

  it('puts tasks that overlap on rows of their own', () => {
    const placed = bars([task('b', 50, 60), task('a', 0, 100), task('c', 99, null)], window)
    expect(placed.map((it) => [it.task.id, it.row])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 1],
    ])
  })

  it('leaves room for tasks that took no time', () => {
    const placed = bars([task('a', 50, 50), task('b', 51, 51), task('c', 99, 99)], window)
    expect(placed.map((it) => it.row)).toEqual([0, 1, 0])
  })

  it('leaves room at the edges, where small bars are moved inward', () => {
    const placed = bars(
      [task('a', -9, 1), task('b', 2, 3), task('c', 240, 250), task('d', 299, null)],
      window,
    )
    expect(placed.map((it) => it.row)).toEqual([0, 1, 0, 1])
  })

  it('leaves out what is over or not yet begun', () => {
    const seen = bars([task('old', -50, -10), task('new', 400, null), task('long', -90, null)], window)
    expect(seen.map((it) => it.task.id)).toEqual(['long'])
  })
})

it('filters by robot and state', () => {
  expect(passes(task('a', 0, null), '', 'open')).toBe(true)
  expect(passes(task('a', 0, 1, 'failed'), 'r', 'failed')).toBe(true)
  expect(passes(task('a', 0, 1, 'failed'), 'other', '')).toBe(false)
  expect(passes(task('a', 0, 1, 'failed'), '', 'open')).toBe(false)
})
