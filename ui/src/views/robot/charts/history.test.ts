import { describe, expect, it } from 'vitest'

import { History, Ring } from './history'

describe('the ring', () => {
  it('keeps the last points in order', () => {
    const ring = new Ring(3)
    for (let at = 1; at <= 5; at++) ring.push(at, at * 10)
    expect([0, 1, 2].map((index) => ring.time(index))).toEqual([3, 4, 5])
    expect(ring.length).toBe(3)
    expect(ring.firstFrom(4)).toBe(1)
    expect(ring.firstFrom(9)).toBe(3)
  })
})

describe('the history', () => {
  it('gives back what is recent as it was', () => {
    const history = new History()
    history.push(1000, 1)
    history.push(1200, 2)
    expect(history.since(0)).toEqual({ at: [1000, 1200], value: [1, 2] })
    expect(history.since(1100).value).toEqual([2])
  })

  it('keeps the peaks of an hour and no more points than it may', () => {
    const history = new History()
    const end = 3_600_000
    for (let at = 200; at <= end; at += 200) history.push(at, at === 600_000 ? 99 : 1)
    const { at, value } = history.since(0)
    expect(value.filter((it) => it === 99)).toHaveLength(1)
    expect(at[0]).toBeLessThan(5_000)
    expect(at.length).toBeLessThanOrEqual(2048 + 4096)
    expect([...at].sort((a, b) => a - b)).toEqual(at)
  })

  it('has one hole where nothing was known', () => {
    const history = new History()
    history.push(1000, 1)
    history.break(2000)
    history.break(3000)
    history.push(9000, 2)
    expect(history.since(0).value).toEqual([1, null, 2])
  })

  it('keeps holes among what is old', () => {
    const history = new History()
    history.push(1000, 1)
    history.break(2000)
    for (let at = 3000; at < 3000 + 3000 * 200; at += 200) history.push(at, 2)
    expect(history.since(0).value.slice(0, 2)).toEqual([1, null])
  })

  it('takes no time twice', () => {
    const history = new History()
    history.push(1000, 1)
    history.push(1000, 2)
    history.push(900, 3)
    expect(history.since(0).value).toEqual([1])
  })
})
