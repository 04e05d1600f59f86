import { expect, test } from 'vitest'

import { ahead } from './plans'
import type { Point } from './camera'

const way: Point[] = [
  [0, 0],
  [1, 0],
  [2, 0],
  [3, 0],
]

test('a way begins where the robot is', () => {
  expect(ahead(way, [1.1, 0.2])).toEqual([
    [1.1, 0.2],
    [2, 0],
    [3, 0],
  ])
  expect(ahead(way, undefined)).toEqual(way)
})

test('a way that is driven is none', () => {
  expect(ahead(way, [2.9, 0.1])).toEqual([])
  expect(ahead([], [0, 0])).toEqual([])
})
