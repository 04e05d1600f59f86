import { expect, it } from 'vitest'

import type { Figure, Robot } from '../../api/types'
import { takersOf } from './takers'

const robot = (name: string, family: string, state = 'up') =>
  ({ robot: name, family, link: { state } }) as unknown as Robot
const figure = (...commands: string[]) => ({ commands }) as unknown as Figure

it('offers who takes tasks or may take them, connected ones first, as a person counts', () => {
  const figures = { arm: figure('task'), cart: figure('drive') }
  const robots = [
    robot('arm-1', 'arm', 'down'),
    robot('arm-10', 'arm'),
    robot('arm-2', 'arm'),
    robot('cart-1', 'cart'),
    robot('new-1', 'new'),
  ]
  expect(takersOf(robots, figures).map((it) => it.robot)).toEqual(['arm-2', 'arm-10', 'new-1', 'arm-1'])
})
