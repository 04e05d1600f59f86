import { describe, expect, it } from 'vitest'

import type { Field, KindShape } from '../../../api/types'
import { isDrawn, rowsOf } from './facts'

const field = (name: string, type: string, more: Partial<Field> = {}): Field => ({
  name,
  type,
  unit: null,
  nullable: true,
  summary: '',
  ...more,
})

/** A kind that this page does not know. */
const air: KindShape = {
  kind: 'air',
  class: 'state',
  summary: '',
  fields: [
    field('humidity_ratio', 'number', { unit: 'ratio' }),
    field('is_stale', 'boolean'),
    field('quality', 'word'),
    field('count', 'integer'),
    field('wind', 'record', { fields: [field('speed_mps', 'number', { unit: 'm/s' })] }),
    field('marks', 'list', { item: { type: 'text', nullable: false } }),
    field('outline_m', 'list', { unit: 'm', item: { type: 'number', nullable: false } }),
  ],
}

describe('rows of a kind that has no drawing', () => {
  it('names each field with its value and unit', () => {
    const data = {
      humidity_ratio: 0.42,
      is_stale: false,
      quality: 'very_good',
      count: 3,
      wind: { speed_mps: 1.5 },
      marks: [],
      outline_m: [1, 2],
    }
    expect(rowsOf(air, data)).toEqual([
      ['Humidity', '42 %'],
      ['Is stale', 'no'],
      ['Quality', 'very good'],
      ['Count', '3'],
      ['Wind, speed', '1.50 m/s'],
      ['Marks', 'none'],
      ['Outline', '1.00 m; 2.00 m'],
    ])
  })

  it('leaves out what is not known', () => {
    expect(rowsOf(air, { humidity_ratio: null })).toEqual([])
    expect(rowsOf(air, undefined)).toEqual([])
  })

  it('counts the items of a long list', () => {
    expect(rowsOf(air, { marks: ['a', 'b', 'c', 'd', 'e'] })).toEqual([['Marks', '5 values']])
  })

  it('is for every kind that is drawn nowhere', () => {
    expect(isDrawn('air')).toBe(false)
    expect(isDrawn('battery')).toBe(true)
  })
})
