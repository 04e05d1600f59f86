import { expect, it } from 'vitest'

import { rate, Rates, size } from './rates'

it('counts per second between two looks', () => {
  const rates = new Rates()
  rates.take([['a', 100]], 0)
  expect(rates.of('a')).toBeNull()
  rates.take([['a', 150]], 2_000)
  expect(rates.of('a')).toBe(25)
})

it('forgets who left and begins anew with who came back', () => {
  const rates = new Rates()
  rates.take(
    [
      ['a', 100],
      ['b', 5],
    ],
    0,
  )
  rates.take([['a', 3]], 1_000)
  expect([rates.of('a'), rates.of('b')]).toEqual([null, null])
  rates.take([['a', 4]], 2_000)
  expect(rates.of('a')).toBe(1)
})

it('writes rates and sizes', () => {
  expect([rate(null), rate(0), rate(0.44), rate(27.3)]).toEqual(['…', '0', '0.4', '27'])
  expect([size(12), size(3_400), size(5_600_000)]).toEqual(['12 B', '3.4 kB', '5.6 MB'])
})
