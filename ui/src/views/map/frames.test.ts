import { afterEach, expect, test } from 'vitest'

import { choices, isDrawn, showsWorld } from './frames'
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
