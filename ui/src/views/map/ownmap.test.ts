import { expect, test } from 'vitest'

import { cellsFromBase64 } from './ownmap'

test('cells have a sign', () => {
  expect([...(cellsFromBase64(btoa('\xff\x00\x64')) ?? [])]).toEqual([-1, 0, 100])
  expect(cellsFromBase64('<12 bytes>')).toBeNull()
})
