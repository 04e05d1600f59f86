import { expect, test } from 'vitest'

import type { Figure, Robot } from '../../api/types'
import { triesFor } from './tries'

const robot = (name: string, family: string, origin: Robot['origin'] = 'simulated') =>
  ({ robot: name, family, origin }) as Robot
const figure = (part: Partial<Figure>) =>
  ({ stimuli: [], commands: [], parts: [], ...part }) as unknown as Figure

test('only what can be done here is offered', () => {
  expect(triesFor({ robots: [], figures: {}, now: null })).toEqual([])
  const figures = { pera: figure({ commands: ['drive'], stimuli: ['place'] }) }
  const titles = (origin: Robot['origin']) =>
    triesFor({ robots: [robot('pera-1', 'pera', origin)], figures, now: null }).map((it) => it.title)
  expect(titles('simulated')).toEqual(['Drag a robot', 'Drive'])
  expect(titles('connected')).toEqual(['Drive'])
})

test('a bumper is the first thing to try', () => {
  const bump = { kind: 'contact', part: 'bump_front_left', label: '' } as Figure['parts'][number]
  const figures = { misty: figure({ stimuli: ['bump'], parts: [bump] }) }
  const [first] = triesFor({ robots: [robot('misty-1', 'misty')], figures, now: null })
  expect(first?.title).toBe('Press a bumper')
  expect(first?.text).toContain('the front left bumper of misty-1')
})
