// Charts of any numbers of the robot over time.

import './charts.css'

import { Pause, Play } from 'lucide-preact'
import { useState } from 'preact/hooks'

import { Empty } from '../../../parts/Empty'
import type { Shown } from '../robotFeed'
import { AddLine } from './AddLine'
import { ChartCard } from './ChartCard'
import { defaultCharts } from './defaults'
import { recorderOf } from './recorder'

const WINDOWS: [number, string][] = [
  [60, '60 s'],
  [300, '5 min'],
  [900, '15 min'],
  [3600, '1 h'],
]

/** The window that was chosen last. */
let kept = 60

export function Charts(shown: Shown) {
  const recorder = recorderOf(shown.robot.robot, () => defaultCharts(shown.figure))
  const [window_s, setWindow] = useState(kept)
  const [paused, setPaused] = useState(false)
  const charts = recorder.charts.value
  return (
    <div class="charts">
      <h2 class="visually-hidden">Charts</h2>
      <div class="tools">
        <div class="windows" role="group" aria-label="How far back">
          {WINDOWS.map(([seconds, name]) => (
            <button
              key={seconds}
              class="button"
              type="button"
              aria-pressed={seconds === window_s}
              onClick={() => setWindow((kept = seconds))}
            >
              {name}
            </button>
          ))}
        </div>
        <button class="button" type="button" onClick={() => setPaused(!paused)}>
          {paused ? <Play size={16} aria-hidden="true" /> : <Pause size={16} aria-hidden="true" />}
          {paused ? 'Go on' : 'Pause'}
        </button>
        <span class="muted">{paused ? 'Paused; recording goes on.' : ''}</span>
      </div>
      <AddLine {...shown} recorder={recorder} />
      {charts.length === 0 && <Empty title="No charts">Choose a value above to see it over time.</Empty>}
      <div class="cards">
        {charts.map((chart, at) => (
          <ChartCard key={chart.id} number={at + 1} {...{ chart, recorder, window_s, paused }} />
        ))}
      </div>
    </div>
  )
}
