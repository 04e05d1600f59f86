import { expect, it } from 'vitest'

import { skewText } from './skew'

it('is a number only if it is known so well', () => {
  expect(skewText(0.002, 0.003)).toBe('3 ms')
  expect(skewText(-0.996, 0.004)).toBe('-996 ms to 4 ms')
})

it('is in seconds from one second on', () => {
  expect(skewText(4, 5)).toBe('4 s to 5 s')
})
