import { expect, test } from 'vitest'

import type { Feed } from '../../api/feed'
import type { Figure } from '../../api/types'
import { nearest, organs } from './senses'

test('the nearest valid range of the robot itself', () => {
  const range = (robot: string, part: string, distance_m: number | null, status: string) =>
    [`${robot}/range/${part}`, { update: { robot, kind: 'range', data: { distance_m, status } } }] as const
  const values = new Map([
    range('a', 'left', 0.8, 'valid'),
    range('a', 'right', 0.2, 'noisy'),
    range('a', 'front', 0.5, 'valid'),
    range('ab', 'front', 0.1, 'valid'),
  ])
  const feed = { values, tick: { value: 1 } } as unknown as Feed
  expect(nearest(feed, 'a')).toBe(0.5)
  expect(nearest(feed, 'c')).toBeNull()
})

test('sensors are counted, a camera once however it delivers', () => {
  const figure = {
    parts: [{ kind: 'range' }, { kind: 'range' }, { kind: 'scan' }, { kind: 'image' }],
    cameras: [
      { kind: 'image', part: 'left' },
      { kind: 'video', part: 'left' },
      { kind: 'video', part: 'right' },
    ],
  } as unknown as Figure
  expect(organs(figure)).toBe('2 range, scan, 2 camera')
})
