import { expect, it } from 'vitest'

import { hexOf, rgbOf } from './colour'

it('writes and reads colours', () => {
  expect(hexOf([255, 8, 0])).toBe('#ff0800')
  expect(rgbOf('#FF0800')).toEqual([255, 8, 0])
  expect(rgbOf('red')).toEqual([0, 0, 0])
})
