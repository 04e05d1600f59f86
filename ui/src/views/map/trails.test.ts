import { expect, test } from 'vitest'

import { Trails } from './trails'

test('a trail is bounded and has points only where there was a way', () => {
  const trails = new Trails()
  for (let i = 0; i < 100; i++) trails.add('a', [0, 0])
  expect(trails.of('a').length).toBe(1)
  for (let i = 0; i < 5000; i++) trails.add('a', [i * 0.05, 0])
  expect(trails.of('a').length).toBe(400)
  expect(trails.of('a').at(-1)).toEqual([4999 * 0.05, 0])
})

test('who was put elsewhere begins anew, who is gone is forgotten', () => {
  const trails = new Trails()
  trails.add('a', [0, 0])
  trails.add('a', [0.1, 0])
  trails.add('a', [8, 8])
  expect(trails.of('a')).toEqual([[8, 8]])
  trails.keep(new Set(['b']))
  expect(trails.of('a')).toEqual([])
})
