import { describe, expect, it } from 'vitest'

import { fixed, quantity, unitOf } from './units'

describe('units', () => {
  it('shows angles in degrees and shares in percent', () => {
    expect(quantity(Math.PI, 'rad')).toBe('180.0°')
    expect(quantity(0.839, 'ratio')).toBe('84 %')
    expect(quantity(-0.5, 'm')).toBe('−0.50 m')
  })

  it('never shows zero for what is missing', () => {
    expect(quantity(null, 'm')).toBe('no data')
  })

  it('leaves out the sign of zero', () => {
    expect(fixed(-0.001, 2)).toBe('0.00')
  })

  it('reads a unit from the end of a name', () => {
    expect(unitOf('angular_radps')).toBe('rad/s')
    expect(unitOf('z_mps2')).toBe('m/s²')
    expect(unitOf('distance_m')).toBe('m')
    expect(unitOf('track_id')).toBeNull()
  })
})
