// How fast the simulated world goes: pause, go on, faster.

import './worldpace.css'

import { Pause, Play } from 'lucide-preact'

import { post } from '../api/http'
import { simulated } from '../live/gateway'
import { useWorldNow } from '../live/world'
import { Status } from './Status'
import { attempt } from './toast'

const SPEEDS = [0.5, 1, 2, 5, 10]

export function WorldPace() {
  return simulated.value ? <Pace /> : null
}

function Pace() {
  const now = useWorldNow('1s')
  if (!now) return null
  const pace = (body: Record<string, unknown>) => void attempt(post('/api/v1/world/pace', body))
  const speeds =
    SPEEDS.includes(now.speed) || now.speed === 0 ? SPEEDS : [...SPEEDS, now.speed].sort((a, b) => a - b)
  return (
    <div class="pace" role="group" aria-label="Time of the simulated world">
      {now.paused && <Status tone="warn">Paused</Status>}
      <button
        class="button quiet"
        type="button"
        aria-label={now.paused ? 'Let the world go on' : 'Pause the world'}
        onClick={() => pace({ pace: now.paused ? 'resume' : 'pause' })}
      >
        {now.paused ? <Play size={18} /> : <Pause size={18} />}
      </button>
      <select
        class="field"
        aria-label="Speed of the world"
        value={String(now.speed)}
        onChange={(event) => pace({ pace: 'speed', speed: Number(event.currentTarget.value) })}
      >
        {speeds.map((speed) => (
          <option key={speed} value={String(speed)}>
            ×{speed}
          </option>
        ))}
      </select>
    </div>
  )
}
