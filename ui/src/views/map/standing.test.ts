import { expect, test } from 'vitest'

import type { Shape, World } from '../../api/types'
import type { Point } from './camera'
import { isFree } from './standing'

const square = ([x, y]: Point, half: number): Point[] => [
  [x - half, y - half],
  [x + half, y - half],
  [x + half, y + half],
  [x - half, y + half],
]
const crate = { layer: 'obstacle', name: 'crate', polygon_m: square([2, 2], 0.5), circle: null } as Shape
const world = { bounds_m: [0, 0, 4, 4], shapes: [crate] } as unknown as World

test('what stands in the room and in nothing is free', () => {
  expect(isFree(square([1, 1], 0.2), world)).toBe(true)
  expect(isFree(square([2.4, 2], 0.2), world)).toBe(false)
  expect(isFree(square([2, 2], 1.5), world)).toBe(false)
  expect(isFree(square([3.9, 2], 0.2), world)).toBe(false)
})

test('what is moved is not in its own way', () => {
  expect(isFree(square([2.2, 2], 0.5), world, crate)).toBe(true)
})
