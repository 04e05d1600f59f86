// How loud it is at the robot's ears, from where sounds come, and listening along.

import './audio.css'

import { Volume2, VolumeX } from 'lucide-preact'
import { useEffect, useRef, useState } from 'preact/hooks'

import { acquire, release } from '../../../api/feeds'
import { kinds } from '../../../live/gateway'
import { field, number } from '../../../live/read'
import { bytes64 } from '../cameras/canvas'
import { useWatched } from '../cameras/useWatched'
import { Panel } from '../Panel'
import { drawnWith, newest, selectOf, type Shown } from '../robotFeed'
import { fixed, quantity } from '../units'
import { channelsOf, decibels, FLOOR_DB, type Level, levelOf, onMeter, Peak, SCALE_DB } from './level'
import { Player } from './player'

export function Audio(shown: Shown) {
  const hears = shown.figure?.parts.some((part) => part.kind === 'audio') === true
  const locates = newest(shown.feed, shown.robot.robot, 'sound_source') !== undefined
  if (!kinds.value['audio'] || (!hears && !locates)) return null
  return (
    <Panel title="Sound" kind="audio">
      {hears && <Meter robot={shown.robot.robot} />}
      <Direction {...shown} />
    </Panel>
  )
}

interface Heard {
  rate_hz: number
  levels: Level[]
}

function Meter({ robot }: { robot: string }) {
  const box = useRef<HTMLDivElement>(null)
  const watched = useWatched(box)
  const [heard, setHeard] = useState<Heard | null>(null)
  const [player, setPlayer] = useState<Player | null>(null)
  const wanted = watched || player !== null

  useEffect(() => {
    if (!wanted) return
    const request = { select: selectOf(robot, ['audio']), bytes: 'base64' as const, batch: '50ms' }
    const feed = acquire(request)
    const peaks: Peak[] = []
    const held = (level: Level, at: number) => ({
      ...level,
      peak: (peaks[at] ??= new Peak()).take(level.peak, performance.now()),
    })
    const off = feed.listen((update) => {
      const bytes = update.data && bytes64(update.data, 'samples')
      const rate_hz = number(update.data, 'sample_rate_hz')
      const channels = bytes ? channelsOf(bytes, number(update.data, 'channels') ?? 1) : []
      if (rate_hz === null || channels.length === 0) return
      setHeard({ rate_hz, levels: channels.map(levelOf).map(held) })
      player?.play(channels, rate_hz)
    })
    return () => {
      off()
      release(request)
    }
  }, [robot, wanted, player])
  useEffect(() => () => player?.close(), [player])

  const names =
    heard?.levels.length === 2
      ? ['Left', 'Right']
      : (heard?.levels ?? []).map((_, at) => `Microphone ${at + 1}`)
  return (
    <div class="meters" ref={box}>
      {heard === null && <p class="muted">No sound yet.</p>}
      {heard?.levels.map((level, at) => (
        <div key={at} class="level">
          <span>{names[at]}</span>
          <div
            role="meter"
            aria-label={`Level, ${names[at] ?? ''}`}
            aria-valuemin={FLOOR_DB}
            aria-valuemax={0}
            aria-valuenow={Math.round(decibels(level.rms))}
            aria-valuetext={`${fixed(decibels(level.rms), 0)} dB, peak ${fixed(decibels(level.peak), 0)} dB`}
          >
            <i style={{ width: `${onMeter(level.rms) * 100}%` }} />
            <b style={{ left: `${onMeter(level.peak) * 100}%` }} />
          </div>
          <span class="db">
            {fixed(decibels(level.rms), 0)} dB
            <small class="muted">peak {fixed(decibels(level.peak), 0)}</small>
          </span>
        </div>
      ))}
      {heard && <Scale />}
      <div class="row">
        <span class="muted">{heard ? `${fixed(heard.rate_hz / 1000, 1)} kHz` : ''}</span>
        <button
          class="button"
          type="button"
          aria-pressed={player !== null}
          onClick={() => setPlayer(player ? null : new Player())}
        >
          {player ? <Volume2 size={16} aria-hidden="true" /> : <VolumeX size={16} aria-hidden="true" />}{' '}
          Listen
        </button>
      </div>
    </div>
  )
}

const Scale = () => (
  <div class="level scale muted" aria-hidden="true">
    <span />
    <div>
      {SCALE_DB.map((db) => (
        <small key={db}>{fixed(db, 0)}</small>
      ))}
    </div>
    <small class="db">dB, 0 is full</small>
  </div>
)

function Direction({ robot, feed }: Shown) {
  drawnWith(feed.tick.value)
  const source = newest(feed, robot.robot, 'sound_source')?.data
  if (!source) return null
  const noises = field(source, 'noise_bearings_rad')
  const first = Array.isArray(noises) && typeof noises[0] === 'number' ? noises[0] : null
  const speech = number(source, 'speech_bearing_rad')
  return (
    <dl class="facts">
      <dt>Voice from</dt>
      <dd>{speech === null ? 'none heard' : quantity(speech, 'rad', 0)}</dd>
      <dt>Noise from</dt>
      <dd>{first === null ? 'none heard' : quantity(first, 'rad', 0)}</dd>
    </dl>
  )
}
