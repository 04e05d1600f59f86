import { expect, test } from 'vitest'

import { scanPoints } from './scene'

test('a scan is laid out from where its scanner stood', () => {
  const pose = { x_m: 1, y_m: 2, yaw_rad: Math.PI / 2 }
  const [ahead] = scanPoints({ angle_min_rad: 0, angle_increment_rad: 1, ranges_m: [2, null], pose })
  expect(ahead?.[0]).toBeCloseTo(1)
  expect(ahead?.[1]).toBeCloseTo(4)
  expect(scanPoints({ angle_min_rad: 0, angle_increment_rad: 1, ranges_m: [2], pose: null })).toEqual([])
})

test('points on the map are where they were published', () => {
  const points_m = [
    [3, 4, 0.2],
    [5, 6, 0.2],
  ]
  expect(scanPoints({ frame: 'map', points_m })).toEqual(points_m)
  expect(scanPoints({ frame: 'base_link', points_m })).toEqual([])
})
