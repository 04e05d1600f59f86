import { expect, test } from 'vitest'

import { turned, turnOf } from './hues'

test('a hue is turned and comes around', () => {
  expect(turned('#ff0000', 0)).toBe('#ff0000')
  expect(turned('#ff0000', 120)).toBe('hsl(120.0 100.0% 50.0%)')
  expect(turned('#ff0000', -16)).toBe('hsl(344.0 100.0% 50.0%)')
  expect(turned('#808080', 90)).toBe('#808080')
})

test('robots of a family lie to both sides of its colour', () => {
  expect([0, 1, 2, 3, 4, 5].map((place) => turnOf(place) + 0)).toEqual([0, 16, -16, 32, -32, 0])
})
