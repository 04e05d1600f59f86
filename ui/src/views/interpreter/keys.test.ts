import { expect, it } from 'vitest'

import type { Dialect, DialectField, Figure } from '../../api/types'
import { example, first, fromAddress, key, keysOf, matching } from './keys'

const field = (kind: string, factor: number, wire = 'w'): DialectField => ({
  wire,
  role: 'value',
  kind,
  part: null,
  model: 'm',
  unit: 'cm',
  factor,
  turn: null,
  note: null,
})

const dialects: Dialect[] = [
  {
    name: 'd',
    robots: '',
    transport: '',
    messages: [
      {
        topic: 'T',
        kinds: ['imu'],
        summary: '',
        fields: [field('imu', 57.3, 'yaw')],
      },
    ],
  },
]

it('reads the choice from the address', () => {
  expect(fromAddress('misty-1/range/front_left')).toEqual({
    robot: 'misty-1',
    key: key('range', 'front_left'),
  })
  expect(fromAddress('misty-1')).toEqual({ robot: 'misty-1', key: null })
  expect(fromAddress(undefined)).toEqual({ robot: null, key: null })
})

it('lists each key once', () => {
  const said = [
    { kind: 'range', part: 'left' },
    { kind: 'battery', part: null },
    { kind: 'range', part: 'left' },
  ]
  expect(keysOf(said, undefined).map((it) => it.name)).toEqual(['battery', 'range/left'])
  // What a dialect could tell is listed where nothing of that kind is known.
  expect(keysOf(said, undefined, ['range', 'imu']).map((it) => it.name)).toEqual([
    'battery',
    'imu',
    'range/left',
  ])
})

it('begins with what is translated', () => {
  const keys = [key('battery', null), key('imu', null), key('pose', null)]
  expect(first(keys, dialects, 'd')?.name).toBe('imu')
  expect(first([], dialects, 'd')).toBeNull()
})

it('opens with a short message in which names and units change', () => {
  const message = (topic: string, kind: string, factor: number, count: number) => ({
    topic,
    kinds: [kind],
    summary: '',
    fields: Array.from({ length: count }, () => field(kind, factor)),
  })
  const spoken: Dialect[] = [
    { name: 'long', robots: '', transport: '', messages: [message('a', 'range', 100, 40)] },
    {
      name: 'short',
      robots: '',
      transport: '',
      messages: [message('b', 'range', 100, 2), message('c', 'light', 1, 2)],
    },
  ]
  const figure = {
    parts: [
      { kind: 'light', part: 'l' },
      { kind: 'range', part: 'f' },
    ],
    joints: [],
    cameras: [],
  }
  const figures = { long: figure, short: figure } as unknown as Record<string, Figure>
  const robots = ['long', 'short'].map((family) => ({ robot: `${family}-1`, family }))
  expect(example(robots, figures, spoken)).toEqual({ robot: 'short-1', key: key('range', 'f') })
  expect(example([], figures, spoken)).toBeNull()
})

it('searches by words in any order', () => {
  const keys = [key('range', 'front_left'), key('range', 'back')]
  expect(matching(keys, 'left ran').map((it) => it.name)).toEqual(['range/front_left'])
  expect(matching(keys, 'front left')).toHaveLength(1)
  expect(matching(keys, '')).toHaveLength(2)
})
