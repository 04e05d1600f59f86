import { expect, it } from 'vitest'

import type { Field } from '../../../api/types'
import { drawable, numericFields } from './fields'

const field = (name: string, type: string, more: Partial<Field> = {}): Field => ({
  name,
  type,
  unit: null,
  nullable: true,
  summary: '',
  ...more,
})

it('finds numbers within records and leaves out the rest', () => {
  const fields = [
    field('distance_m', 'number', { unit: 'm' }),
    field('status', 'word', { words: ['valid'] }),
    field('left', 'record', { fields: [field('velocity_radps', 'number')] }),
    field('ranges_m', 'list'),
  ]
  expect(numericFields({ kind: 'x', class: 'state', summary: '', fields })).toMatchObject([
    { path: 'distance_m', unit: 'm' },
    { path: 'left.velocity_radps', unit: 'rad/s' },
  ])
  expect(numericFields(undefined)).toEqual([])
})

it('draws yes and no, and nothing for what is missing', () => {
  expect(drawable(true)).toBe(1)
  expect(drawable(null)).toBeNull()
  expect(drawable('3')).toBeNull()
})
