import { expect, it } from 'vitest'

import { channelsOf, decibels, levelOf, onMeter, Peak } from './level'

it('parts the channels', () => {
  const bytes = new Uint8Array(new Int16Array([16384, -32768, 0, 16384]).buffer)
  expect(channelsOf(bytes, 2).map((it) => [...it])).toEqual([
    [0.5, 0],
    [-1, 0.5],
  ])
  expect(channelsOf(bytes, 0)).toEqual([])
})

it('tells how loud it is', () => {
  expect(levelOf(new Float32Array([0.5, -0.5]))).toEqual({ rms: 0.5, peak: 0.5 })
  expect(levelOf(new Float32Array())).toEqual({ rms: 0, peak: 0 })
})

it('shows silence at the bottom and full scale at the top', () => {
  expect(onMeter(0)).toBe(0)
  expect(onMeter(1)).toBe(1)
  expect(decibels(0.5)).toBeCloseTo(-6.02, 1)
})

it('shows that a quiet voice is louder than a quiet room', () => {
  const [room, voice] = [onMeter(10 ** (-87 / 20)), onMeter(10 ** (-51 / 20))]
  expect(room).toBeLessThan(0.05)
  expect(voice).toBeGreaterThan(0.4)
})

it('holds a peak for a while', () => {
  const peak = new Peak()
  expect([peak.take(0.5, 0), peak.take(0.1, 1_000), peak.take(0.2, 2_000)]).toEqual([0.5, 0.5, 0.2])
})
