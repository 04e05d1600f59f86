import { expect, test } from 'vitest'

import { Labels } from './labels'

test('names stand beside each other, never on each other or outside', () => {
  const labels = new Labels()
  labels.begin(200, 100)
  expect(labels.place('a', [100, 50], 9, 40)).toEqual([100, 59])
  expect(labels.place('b', [100, 50], 9, 40)).toEqual([100, 28])
  const third = labels.place('c', [100, 50], 9, 40)
  expect(third?.[0]).toBeGreaterThan(120)
  labels.block([0, 0, 200, 100])
  expect(labels.place('d', [100, 50], 5, 40)).toBeNull()
})

test('a name keeps its side when the first one is free again', () => {
  const labels = new Labels()
  labels.begin(200, 100)
  labels.block([60, 50, 140, 80])
  expect(labels.place('a', [100, 50], 5, 40)).toEqual([100, 32])
  labels.begin(200, 100)
  expect(labels.place('a', [100, 50], 5, 40)).toEqual([100, 32])
})
