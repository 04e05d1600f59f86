import { expect, test } from 'vitest'

import { centred, fit, placed, scaleBar, toScreen, toWorld, type Point } from './camera'

test('there and back', () => {
  const camera = { k: 50, x: 100, y: 300 }
  const place: Point = [1.5, -2.25]
  expect(toScreen(camera, place)).toEqual([175, 412.5])
  expect(toWorld(camera, toScreen(camera, place))).toEqual(place)
})

test('a room fits into the screen, north up', () => {
  const camera = fit([-5, -2, 5, 2], 1040, 834)
  expect(camera.k).toBe(100)
  expect(toScreen(camera, [-5, 2])).toEqual([20, 200])
  expect(toScreen(camera, [5, -2])).toEqual([1020, 600])
})

test('who is followed is in the middle', () => {
  const camera = centred({ k: 20, x: 0, y: 0 }, [3, 4], 640, 480)
  expect(toScreen(camera, [3, 4])).toEqual([320, 240])
})

test('a body turned by a quarter looks up', () => {
  const [nose] = placed([[1, 0]], 2, 3, Math.PI / 2)
  expect(nose?.[0]).toBeCloseTo(2)
  expect(nose?.[1]).toBeCloseTo(4)
})

test('the scale bar has a round length', () => {
  for (const k of [3, 17, 40, 222, 1000]) {
    const metres = scaleBar({ k, x: 0, y: 0 }, 100)
    expect([1, 2, 5]).toContain(Number((metres / 10 ** Math.floor(Math.log10(metres) + 1e-9)).toFixed(6)))
    expect(metres * k).toBeLessThanOrEqual(100)
    expect(metres * k).toBeGreaterThan(35)
  }
})
