// The charts that a robot's page begins with, as far as the robot has what they show.

import type { Figure } from '../../../api/types'
import { LEAST, type SeriesSpec } from './series'

export function defaultCharts(figure: Figure | undefined): SeriesSpec[][] {
  const charts: SeriesSpec[][] = [
    [{ kind: 'battery', part: null, path: 'charge_ratio', unit: 'ratio' }],
    [
      { kind: 'velocity', part: 'measured', path: 'linear_mps', unit: 'm/s' },
      { kind: 'velocity', part: 'commanded', path: 'linear_mps', unit: 'm/s' },
    ],
  ]
  if (!figure || figure.parts.some((part) => part.kind === 'range')) {
    charts.push([{ kind: 'range', part: LEAST, path: 'distance_m', unit: 'm' }])
  }
  return charts
}
