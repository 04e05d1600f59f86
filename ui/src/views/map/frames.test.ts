import { afterEach, expect, test } from 'vitest'

import type { World } from '../../api/types'
import { choices, elsewhere, isDrawn, showsWorld } from './frames'
import { frame } from './options'
import { scanPoints } from './scene'

afterEach(() => (frame.value = null))

test('frames of the site and maps of robots can be chosen, placed or not', () => {
  const tree = ['world', 'arena', 'axbot-1/map', 'axbot-1/odom'].map((name) => ({ name }))
  expect(choices(tree, ['axbot-1', 'lost-1'])).toEqual(['world', 'arena', 'axbot-1/map', 'lost-1/map'])
})

test('only what is in the chosen frame is drawn', () => {
  expect([isDrawn({ frame: 'map' }), isDrawn({ frame: 'odom' }), showsWorld()]).toEqual([true, false, true])
  frame.value = 'arena'
  expect([isDrawn({ frame: 'map' }), isDrawn({ frame: 'arena' }), showsWorld()]).toEqual([false, true, false])
  expect(isDrawn({ pose: { frame: 'arena' } }, 'pose.frame')).toBe(true)
  expect(scanPoints({ frame: 'arena', points_m: [[1, 2, 0]] })).toEqual([[1, 2, 0]])
  expect(scanPoints({ frame: 'map', points_m: [[1, 2, 0]] })).toEqual([])
})

test('walls stand in another frame where it sees them', () => {
  const at = (name: string, parent: string | null, x_m: number, y_m: number, yaw_rad: number) => ({
    name,
    in: parent,
    x_m,
    y_m,
    yaw_rad,
  })
  const tree = [
    at('site', 'world', 1, 0, Math.PI / 2),
    at('arena', 'site', 2, 0, 0),
    at('lost', null, 0, 0, 0),
  ]
  const wall = {
    layer: 'wall',
    circle: null,
    x_m: 1,
    y_m: 3,
    yaw_rad: 0,
    polygon_m: [[1, 3] as [number, number]],
  }
  const world = { bounds_m: [0, 0, 4, 5], shapes: [wall] } as unknown as World
  const [room, shifted] = elsewhere(tree, 'arena', world)
  expect(shifted?.polygon_m?.[0]?.map((it) => Math.round(it * 1e6) / 1e6)).toEqual([1, 0])
  expect(shifted?.yaw_rad).toBeCloseTo(-Math.PI / 2)
  expect(room?.polygon_m?.[2]?.map((it) => Math.round(it * 1e6) / 1e6)).toEqual([3, -3])
  expect([elsewhere(tree, 'lost', world), elsewhere(tree, 'nowhere', world)]).toEqual([[], []])
})
