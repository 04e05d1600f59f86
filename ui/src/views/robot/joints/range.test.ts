import { expect, it } from 'vitest'

import { standing, travelOf } from './range'

it('takes angles before shares', () => {
  const joint = { part: 'a', label: 'A', min_rad: -1, max_rad: 1, min_ratio: 0, max_ratio: 1 }
  expect(travelOf(joint)).toEqual({ field: 'position_rad', unit: 'rad', min: -1, max: 1 })
  expect(travelOf({ part: 'a', label: 'A', min_ratio: 0, max_ratio: 1 })?.unit).toBe('ratio')
  expect(travelOf({ part: 'a', label: 'A' })).toBeNull()
})

it('tells where a joint stands by whatever it says', () => {
  expect(standing({ position_rad: null, position_ratio: 0.5 })).toEqual({ value: 0.5, unit: 'ratio' })
  expect(standing(undefined)).toBeNull()
})
