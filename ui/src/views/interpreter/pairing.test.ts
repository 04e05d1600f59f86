import { describe, expect, it } from 'vitest'

import type { Dialect, DialectField, NativeMessage, Update } from '../../api/types'
import { plain, scale, unitChange } from './change'
import { fold, jsonLines } from './json'
import { meets, numbering, pairUp, PART, unpaired } from './pairing'
import { fitsModel, fitsWire, leaves, segments, written } from './paths'

const pair = (wire: string, model: string | null, rest: Partial<DialectField> = {}): DialectField => ({
  wire,
  role: 'value',
  model,
  kind: model === null ? null : 'hazard',
  part: null,
  unit: null,
  factor: null,
  turn: null,
  note: null,
  ...rest,
})

const dialect = (topic: string, fields: DialectField[]): Dialect[] => [
  { name: 'd', robots: '', transport: '', messages: [{ topic, kinds: ['hazard'], summary: '', fields }] },
]

const update = (data: Record<string, unknown>): Update => ({
  type: 'update',
  key: 'r/hazard/left',
  robot: 'r',
  kind: 'hazard',
  part: 'left',
  class: 'event',
  sequence: 1,
  stamp: { at: '2026-01-01T00:00:00Z', clock: 'robot' },
  received: '2026-01-01T00:00:00Z',
  data,
})

const message = (payload: unknown, topic = 'T'): NativeMessage => ({ dialect: 'd', topic, payload })

describe('paths', () => {
  it('reads patterns with lists, places and the message itself', () => {
    expect(segments('a.b[].c')).toEqual(['a', 'b', '[]', 'c'])
    expect(segments('a[2]')).toEqual(['a', '[2]'])
    expect(segments('')).toEqual([])
  })

  it('finds values in lists of lists', () => {
    const found = leaves({ a: [{ b: [1, 2] }, { b: [] }] })
    expect(found.map((leaf) => written(leaf.path))).toEqual(['a[0].b[0]', 'a[0].b[1]', 'a[1].b'])
  })

  it('fits a wire pattern and tells the places', () => {
    expect(fitsWire(segments('a[].b'), ['a', 3, 'b'])).toEqual([3])
    expect(fitsWire(segments('a[1]'), ['a', 0])).toBeNull()
    expect(fitsWire(segments('a.**'), ['a', 'x', 1, 'y'])).toEqual([])
    expect(fitsWire(segments('a'), ['a', 2])).toEqual([2])
    expect(fitsWire(segments('a'), ['a', 'b'])).toBeNull()
    expect(fitsWire([], [])).toEqual([])
  })

  it('goes through lists of the model as through records', () => {
    expect(fitsModel(['items', 'part'], ['items', 4, 'part'])).toEqual([4])
    expect(fitsModel(['items'], ['items', 4])).toEqual([4])
    expect(fitsModel(['items'], ['items', 4, 'part'])).toBeNull()
  })
})

describe('pairing', () => {
  const table = dialect('T', [
    pair('list[].where', 'items.part'),
    pair('list[].on', 'items.active'),
    pair('code', 'critical_error_code'),
    pair('sensor', null, { role: 'part' }),
    pair('made', null, { note: 'nothing here is like it' }),
    pair('other', 'x', { kind: 'battery' }),
  ])
  const published = update({
    items: [
      { source: 'bumper', part: 'a', active: true },
      { source: 'bumper', part: 'b', active: false },
    ],
    critical_error_code: null,
  })
  const sent = message({
    list: [
      { where: 'A', on: true },
      { where: 'B', on: false },
    ],
    sensor: 'L',
    made: 1,
    other: 2,
  })

  it('leaves out the fields of other parts', () => {
    const sides = dialect(
      'T',
      ['left', 'right'].map((part) => pair(part, 'critical_error_code', { part })),
    )
    const { pairings } = pairUp(published, message({ left: 3, right: 4 }), sides)
    expect(pairings.map(({ pair }) => pair.wire)).toEqual(['left'])
  })

  it('pairs item by item', () => {
    const paired = pairUp(published, sent, table)
    const of = (path: string) => paired.bonds.filter((it) => written(it.path) === path).map((it) => it.bond)
    expect(of('list[1].where')).toEqual([{ field: 'items.part', at: [1] }])
    expect(of('sensor')).toEqual([{ field: PART, at: [] }])
    expect(of('made')).toEqual([])
    expect(of('other')).toEqual([])
    expect(meets({ field: 'items.part', at: [1] }, { field: 'items.part', at: [1] })).toBe(true)
    expect(meets({ field: 'items.part', at: [1] }, { field: 'items.part', at: [0] })).toBe(false)
    expect(meets({ field: 'items.part', at: [1] }, { field: 'items.part', at: [] })).toBe(true)
  })

  it('tells each row once, with both values, and what has no partner', () => {
    const { pairings } = pairUp(published, sent, table)
    expect(pairings.map((it) => [it.pair.wire, it.wire.value, it.model?.value])).toEqual([
      ['list[].where', 'A', 'a'],
      ['list[].on', true, true],
      ['sensor', 'L', 'left'],
      ['made', 1, undefined],
    ])
    expect(unpaired(published, [pairUp(published, sent, table)])).toEqual([
      'items.source',
      'critical_error_code',
    ])
  })

  it('pairs each number of a point by its place in the list', () => {
    const pose = dialect('T', [
      pair('pos[0]', 'x_m'),
      pair('pos[1]', 'y_m'),
      pair('boxes[].size[0]', 'size.width_m'),
      pair('boxes[].size[1]', 'size.length_m'),
      pair('way[][0]', 'points_m'),
      pair('way[][1]', 'points_m'),
      pair('way[][2]', 'yaws_rad'),
    ])
    const published = update({
      x_m: 1,
      y_m: 2,
      size: { width_m: 3, length_m: 4 },
      points_m: [
        [5, 6],
        [7, 8],
      ],
      yaws_rad: [9, 10],
    })
    const sent = message({
      pos: [1, 2],
      boxes: [{ size: [3, 4] }],
      way: [
        [5, 6, 9],
        [7, 8, 10],
      ],
    })
    const paired = pairUp(published, sent, pose)
    expect(
      paired.pairings.map((it) => [it.field, it.model?.value, written(it.wire.path), it.wire.value]),
    ).toEqual([
      ['x_m', 1, 'pos[0]', 1],
      ['y_m', 2, 'pos[1]', 2],
      ['size.width_m', 3, 'boxes[0].size[0]', 3],
      ['size.length_m', 4, 'boxes[0].size[1]', 4],
      ['points_m', 5, 'way[0][0]', 5],
      ['points_m', 6, 'way[0][1]', 6],
      ['yaws_rad', 9, 'way[0][2]', 9],
    ])
    const last = paired.bonds.filter((it) => written(it.path).startsWith('way[1]'))
    expect(last.map((it) => it.bond.at)).toEqual([[1, 0], [1, 1], [1]])
  })

  it('numbers fields in the order of the model, the same in all columns', () => {
    const numbers = numbering(published, [pairUp(published, sent, table)])
    expect([...numbers]).toEqual([
      [PART, 1],
      ['items.part', 2],
      ['items.active', 3],
    ])
  })

  it('knows plain numbers as messages and topics that vary', () => {
    const fields = [pair('', 'critical_error_code', { unit: 'cm', factor: 100 })]
    const paired = pairUp(
      update({ critical_error_code: 2 }),
      message(200, 'v1/7/x'),
      dialect('v1/{id}/x', fields),
    )
    expect(paired.bonds).toHaveLength(1)
    expect(paired.pairings[0]?.model?.value).toBe(2)
    expect(pairUp(published, message(1, 'else'), table).message).toBeNull()
  })
})

describe('changes in words', () => {
  it('tells units and factors', () => {
    expect(unitChange('m', pair('x', 'y', { unit: 'm', factor: 1 }))).toBe('same unit')
    expect(unitChange('rad', pair('x', 'y', { unit: '°', factor: 180 / Math.PI }))).toBe('rad → °, ×57.2958')
    expect(unitChange('m', pair('x', 'y', { unit: 'cm', factor: 100 }))).toBe('m → cm, ×100')
    expect(unitChange(null, pair('x', 'y'))).toBeNull()
  })

  it('tells signs and parts', () => {
    expect(scale(-1)).toBe('opposite sign')
    expect(scale(0.01)).toBe('÷100')
    expect(scale(-180 / Math.PI)).toBe('×57.2958, opposite sign')
    expect(scale(1)).toBeNull()
  })

  it('never shows nothing as a number', () => {
    expect(plain(null, 'm')).toBe('no data')
    expect(plain(0.41234567, 'm')).toBe('0.412 m')
    expect(plain(-0.00001, 'rad')).toBe('0 rad')
    expect(plain(33.45678, '°')).toBe('33.5°')
    expect(plain(1234.5678, null)).toBe('1235')
    expect(plain(90, '°')).toBe('90°')
  })
})

describe('JSON in lines', () => {
  it('keeps short lists on one line and cuts long ones', () => {
    const lines = jsonLines({ a: [1, 2], b: Array.from({ length: 100 }, () => 'abcdef') })
    expect(lines.map((line) => line.text)).toContain('[1, 2],')
    expect(lines.some((line) => line.text === '… 92 more')).toBe(true)
  })

  it('folds long runs that nothing marks', () => {
    const marked = [true, false, false, false, false, true, false]
    expect(fold(marked, 2)).toEqual([
      { from: 0, to: 1, folded: false },
      { from: 1, to: 5, folded: true },
      { from: 5, to: 7, folded: false },
    ])
  })
})
