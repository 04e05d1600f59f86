import { describe, expect, it } from 'vitest'

import { LEAST, nameOf, Series } from './series'

const range = { kind: 'range', part: LEAST, path: 'distance_m', unit: 'm' }

describe('a line', () => {
  it('follows the least of all parts that can be trusted', () => {
    const series = new Series(range)
    series.take(1000, 'left', { distance_m: 2, status: 'valid' })
    series.take(1010, 'right', { distance_m: 1, status: 'valid' })
    series.take(1020, 'right', { distance_m: 1, status: 'too_far' })
    expect(series.history.since(0).value).toEqual([2, 1, 2])
  })

  it('has a hole after a silence and after a loss', () => {
    const series = new Series({ kind: 'battery', part: null, path: 'voltage_v', unit: 'V' })
    for (let at = 1000; at <= 3000; at += 500) series.take(at, null, { voltage_v: 7 })
    series.silence(9000)
    series.take(9100, null, { voltage_v: 9 })
    series.lost(9200)
    expect(series.history.since(2500).value).toEqual([7, 7, null, 9, null])
  })

  it('holds a value that is published only when it changes', () => {
    const series = new Series({ kind: 'velocity', part: 'commanded', path: 'linear_mps', unit: 'm/s' })
    series.take(1000, null, { linear_mps: 0 })
    series.silence(60_000)
    series.take(61_000, null, { linear_mps: 1 })
    expect(series.history.since(0)).toEqual({ at: [1000, 60_000, 60_999, 61_000], value: [0, 0, 0, 1] })
  })

  it('begins with what the gateway kept, by the clock of the page', () => {
    const series = new Series(range)
    const samples = (part: string, at_ms: number[], distance_m: (number | null)[]) => ({
      ...{ key: `r/range/${part}`, robot: 'r', kind: 'range', part, at_ms },
      fields: { distance_m },
    })
    expect(series.follows('range', 'left')).toBe(false)
    series.past(
      [samples('left', [11_000, 12_000], [2, 3]), samples('right', [11_500, 12_500], [1, null])],
      10_000,
    )
    expect(series.history.since(0)).toEqual({ at: [1000, 1500, 2000, 2500], value: [2, 1, 1, 3] })
    series.ready = true
    expect(series.follows('range', 'left')).toBe(true)
    series.take(2_600, 'left', { distance_m: 4, status: 'valid' })
    expect(series.history.since(2_600).value).toEqual([4])
  })

  it('is called what it shows', () => {
    expect(nameOf(range)).toBe('Range, least of all: distance')
    expect(nameOf({ kind: 'imu', part: null, path: 'orientation.yaw_rad', unit: 'rad' })).toBe(
      'Imu: orientation yaw',
    )
  })
})
