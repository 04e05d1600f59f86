import { describe, expect, it } from 'vitest'

import { conePath, onPage, outlinePath, rayEnd, ringStep, scanPoints, viewRadius, withRoom } from './geometry'

const near = (given: readonly number[], wanted: number[]) =>
  given.forEach((value, at) => expect(value).toBeCloseTo(wanted[at] ?? NaN, 5))

describe('the page', () => {
  it('has ahead up and left left', () => {
    near(onPage(1, 0), [0, -1])
    near(onPage(0, 1), [-1, 0])
  })

  it('closes an outline', () => {
    expect(outlinePath([[1, 0], [0, 1], [-1, 0]])).toBe('M0 -1L-1 0L0 1Z') // prettier-ignore
    expect(outlinePath([])).toBe('')
  })
})

describe('cones and rays', () => {
  it('ends a ray where it points', () => {
    near(rayEnd({ x_m: 0.1, y_m: 0 }, 0, 1), [0, -1.1])
    near(rayEnd({ x_m: 0, y_m: 0 }, Math.PI / 2, 2), [-2, 0])
  })

  it('draws a cone from the left side clockwise to the right', () => {
    expect(conePath({ x_m: 0, y_m: 0 }, 0, Math.PI, 1)).toBe('M0 0L-1 0A1 1 0 0 1 1 0Z')
  })

  it('never closes a full circle to nothing', () => {
    expect(conePath({ x_m: 0, y_m: 0 }, 0, 2 * Math.PI, 1)).toContain('A1 1 0 1 1')
  })
})

describe('the scale', () => {
  it('fits body and distances', () => {
    expect(viewRadius(0.15, [0.4])).toBe(0.5)
    expect(viewRadius(0.15, [])).toBe(0.25)
  })

  it('does not shrink for a little', () => {
    expect(viewRadius(0.15, [0.9], 1.5)).toBe(1.5)
    expect(viewRadius(0.15, [0.2], 1.5)).toBe(0.25)
  })

  it('has at most four rings', () => {
    for (const radius of [0.25, 0.5, 1, 1.5, 3, 10, 30])
      expect(radius / ringStep(radius)).toBeLessThanOrEqual(4.5)
  })
})

describe('a scan', () => {
  it('leaves out rays without an echo', () => {
    const scan = { angle_min_rad: 0, angle_increment_rad: Math.PI / 2, ranges_m: [1, null, 2] }
    near([...scanPoints(scan, { x_m: 0.5, y_m: 0, yaw_rad: 0 })], [1.5, 0, -1.5, 0])
  })
})

describe('names', () => {
  it('stand where no other stands', () => {
    const name = (x: number, y: number) => ({ x, y, name: 'cup' })
    const kept = withRoom([name(0, 0), name(0.1, 0.05), name(0, 0.2), name(0.3, 0)], 0.1)
    expect(kept).toEqual([name(0, 0), name(0, 0.2), name(0.3, 0)])
  })
})
