import { expect, test } from 'vitest'

import type { Shape, WorldNow } from '../../api/types'
import { lying, thingOf } from './objects'
import { pick } from './pick'

const shape = (layer: string, name: string, x_m: number, y_m: number) =>
  ({ layer, name, x_m, y_m, circle: { x_m, y_m, radius_m: 0.04 }, polygon_m: null }) as unknown as Shape
const shapes = [shape('place', 'Sofa', 1, 1), shape('place', 'Table', 1.3, 1), shape('object', 'cup', 3, 3)]

test('a thing dropped near the mark of a place lies there, else on the floor', () => {
  expect(lying(shapes, [1.2, 1])).toEqual({ place: 'Table' })
  expect(lying(shapes, [2, 2])).toEqual({ x_m: 2, y_m: 2 })
})

test('a small thing is picked with a finger, unless somebody carries it', () => {
  const camera = { k: 40, x: 0, y: 0 }
  const now = (things: object[]) => ({ people: [], doors: [], things }) as unknown as WorldNow
  const picked = (things: object[]) => pick([3.2, 3], camera, [], now(things), shapes, true)
  expect(picked([])).toMatchObject({ what: 'shape', shape: { name: 'cup' } })
  expect(picked([{ layer: 'object', name: 'cup' }])).toBeNull()
  expect(thingOf(shape('furniture', 'bed', 0, 0))).toBeNull()
})
