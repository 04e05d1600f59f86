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
    series.take(1000, null, { voltage_v: 7 })
    series.take(1500, null, { voltage_v: 8 })
    series.silence(9000)
    series.take(9100, null, { voltage_v: 9 })
    series.lost(9200)
    expect(series.history.since(0).value).toEqual([7, 8, null, 9, null])
  })

  it('bears long pauses where values come seldom', () => {
    const series = new Series({ kind: 'device', part: null, path: 'x_s', unit: 's' })
    for (let at = 10_000; at <= 100_000; at += 3_500) series.take(at, null, { x_s: 1 })
    series.take(111_000, null, { x_s: 1 })
    expect(series.history.since(0).value).not.toContain(null)
  })

  it('is called what it shows', () => {
    expect(nameOf(range)).toBe('Range, least of all: distance')
    expect(nameOf({ kind: 'imu', part: null, path: 'orientation.yaw_rad', unit: 'rad' })).toBe(
      'Imu: orientation yaw',
    )
  })
})
