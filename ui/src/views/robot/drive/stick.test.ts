import { describe, expect, it } from 'vitest'

import { CENTRE, isDriveKey, isModified, isStill, speedsOf, stickAt, stickOfKeys } from './stick'

describe('the stick', () => {
  it('stays within its circle', () => {
    const stick = stickAt(300, -400, 100)
    expect(Math.hypot(stick.x, stick.y)).toBeCloseTo(1)
    expect(stick.y).toBeCloseTo(0.8)
  })

  it('rests in the middle', () => {
    expect(stickAt(4, 4, 100)).toBe(CENTRE)
  })
})

describe('speeds', () => {
  it('go ahead up and clockwise right', () => {
    expect(speedsOf({ x: 0, y: 1 }, 0.5, 0.4, 2)).toEqual({ linear_mps: 0.2, angular_radps: 0 })
    expect(speedsOf({ x: 1, y: 0 }, 1, 0.4, 2)).toEqual({ linear_mps: 0, angular_radps: -2 })
  })

  it('are still in the middle', () => {
    expect(isStill(speedsOf(CENTRE, 1, 1, 1))).toBe(true)
  })
})

describe('keys', () => {
  it('add up and cancel out', () => {
    expect(stickOfKeys(['w', 'D'])).toEqual({ x: 1, y: 1 })
    expect(stickOfKeys(['ArrowUp', 's'])).toEqual({ x: 0, y: 0 })
  })

  it('are known', () => {
    expect(isDriveKey('ArrowLeft')).toBe(true)
    expect(isDriveKey('Tab')).toBe(false)
  })
  it('are not for driving with a modifier', () => {
    const event = { key: 'w', ctrlKey: false, altKey: false, metaKey: false }
    expect(isModified(event)).toBe(false)
    expect(isModified({ ...event, ctrlKey: true })).toBe(true)
    expect(isModified({ ...event, key: 'Control' })).toBe(true)
  })
})
