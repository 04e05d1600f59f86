import { expect, it } from 'vitest'

import { bytesOf, rgba } from './pixels'

it('reads bytes', () => {
  expect([...bytesOf('AP+A')]).toEqual([0, 255, 128])
})

it('makes colours and greys opaque', () => {
  expect([...(rgba('rgb8', 1, 1, new Uint8Array([1, 2, 3])) ?? [])]).toEqual([1, 2, 3, 255])
  expect([...(rgba('mono8', 2, 1, new Uint8Array([7, 8])) ?? [])]).toEqual([7, 7, 7, 255, 8, 8, 8, 255])
})

it('refuses what is too short or unknown', () => {
  expect(rgba('rgb8', 2, 2, new Uint8Array(3))).toBeNull()
  expect(rgba('bgr8', 1, 1, new Uint8Array(3))).toBeNull()
})
