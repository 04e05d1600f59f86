import { expect, it } from 'vitest'

import { align } from './align'

it('puts lines into one table and keeps holes apart from what was not asked', () => {
  const table = align(
    [
      { at: [1000, 3000], value: [1, null] },
      { at: [2000, 3000], value: [5, 6] },
    ],
    [100, 1],
  )
  expect(table).toEqual([
    [1, 2, 3],
    [100, undefined, null],
    [undefined, 5, 6],
  ])
})
