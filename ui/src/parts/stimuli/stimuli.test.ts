import { expect, it } from 'vitest'

import type { Figure } from '../../api/types'
import { formsFor, partsFor, pokeOf } from './stimuli'

const at = { x_m: 0, y_m: 0, z_m: 0, yaw_rad: 0, field_of_view_rad: null, max_m: null }
const figure = {
  stimuli: ['touch', 'bump', 'face', 'fail'],
  parts: [
    { kind: 'contact', part: 'bump_front_left', label: 'Front left bumper', ...at },
    { kind: 'contact', part: 'touch_chin', label: '', ...at },
    { kind: 'range', part: 'front', label: 'Front', ...at },
  ],
} as unknown as Figure

it('offers what the family takes', () => {
  expect(formsFor(figure).map((form) => form.stimulus)).toEqual(['touch', 'bump', 'face', 'fail'])
  expect(formsFor(undefined)).toEqual([])
})

it('knows which parts are touched, bumped and broken', () => {
  expect(partsFor(figure, 'touch')).toEqual([{ part: 'touch_chin', label: 'Touch chin' }])
  expect(partsFor(figure, 'bump').map((it) => it.part)).toEqual(['bump_front_left'])
  expect(partsFor(figure, 'fail').map((it) => it.part)).toEqual(['front'])
})

it('sends radians and leaves out empty names', () => {
  const face = formsFor(figure).find((form) => form.stimulus === 'face')
  const body = face && pokeOf(face, { label: '', bearing_rad: '90', hold_s: '2' })
  expect(body).toMatchObject({ stimulus: 'face', hold_s: 2 })
  expect(body?.['bearing_rad']).toBeCloseTo(Math.PI / 2)
  expect(body).not.toHaveProperty('label')
})
