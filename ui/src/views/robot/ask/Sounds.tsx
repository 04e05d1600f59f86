// Plays one of the robot's sounds.

import { Play } from 'lucide-preact'
import { useState } from 'preact/hooks'

import { command } from '../../../api/http'
import { field } from '../../../live/read'
import { attempt } from '../../../parts/toast'
import { newest, type Shown } from '../robotFeed'
import { quantity } from '../units'

export function Sounds({ robot, figure, feed }: Shown) {
  const published = field(newest(feed, robot.robot, 'library')?.data, 'sounds')
  const named = Array.isArray(published) ? published.filter((it): it is string => typeof it === 'string') : []
  // What the robot says that it has counts before what its family has.
  const sounds = named.length > 0 ? named : (figure?.sounds ?? [])
  const [chosen, setChosen] = useState('')
  const [volume, setVolume] = useState(0.5)
  const name = sounds.includes(chosen) ? chosen : sounds[0]
  if (name === undefined) return <p class="muted">The robot tells of no sounds.</p>
  const play = (event: Event) => {
    event.preventDefault()
    void attempt(command(robot.robot, { command: 'play', name, volume_ratio: volume }), `Plays ${name}`)
  }
  return (
    <form class="row" onSubmit={play}>
      <select
        class="field grow"
        aria-label="Sound"
        value={name}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {sounds.map((it) => (
          <option key={it}>{it}</option>
        ))}
      </select>
      <input
        type="range"
        min="0"
        max="1"
        step="0.05"
        value={volume}
        aria-label="Volume"
        aria-valuetext={quantity(volume, 'ratio')}
        onInput={(event) => setVolume(Number(event.currentTarget.value))}
      />
      <button class="button" type="submit">
        <Play size={16} aria-hidden="true" /> Play
      </button>
    </form>
  )
}
