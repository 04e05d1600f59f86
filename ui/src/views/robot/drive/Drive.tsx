// Driving by hand: armed first, then with the stick or keys; and the emergency stop.

import './drive.css'

import { Square } from 'lucide-preact'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'

import { reach } from '../../../live/gateway'
import { ReleaseButton, StopButton } from '../../../parts/RobotStop'
import { drawnWith, newest, type Shown } from '../robotFeed'
import { quantity } from '../units'
import { Driver } from './driver'
import { speedsOf, type Stick } from './stick'
import { StickPad } from './StickPad'

const DEFAULT_LIMIT = 0.4
const DEFAULT_MPS = 0.3
const DEFAULT_RADPS = 1

export function Drive(shown: Shown) {
  const takes = shown.figure?.commands ?? []
  if (!takes.includes('drive')) return null
  return (
    <section class="panel drive" aria-label="Drive">
      <Inside {...shown} />
    </section>
  )
}

function Inside({ robot, figure, feed }: Shown) {
  const driver = useMemo(() => new Driver(robot.robot), [robot.robot])
  const [armed, setArmed] = useState(false)
  const [limit, setLimit] = useState(DEFAULT_LIMIT)
  const [halts, setHalts] = useState(0)
  const id = useId()
  const lost = reach.value === 'lost' || feed.state.value === 'lost' || robot.link.state !== 'up'
  const ready = armed && !lost
  const mps = figure?.max_linear_mps ?? DEFAULT_MPS
  const radps = figure?.max_angular_radps ?? DEFAULT_RADPS

  useEffect(() => () => driver.stop(), [driver])
  useEffect(() => {
    if (!ready) driver.stop()
  }, [ready, driver])
  // Who comes back to a robot that was gone arms anew.
  useEffect(() => {
    if (lost) setArmed(false)
  }, [lost])

  const halt = () => {
    setHalts(halts + 1)
    driver.halt()
  }
  const push = (stick: Stick) =>
    driver.hold(ready ? speedsOf(stick, limit, mps, radps) : speedsOf({ x: 0, y: 0 }, 0, 0, 0))
  return (
    <div class="drivegrid">
      <StickPad
        enabled={ready}
        label={`Drive ${robot.robot}: push, or use the keys W, A, S, D or arrows while this has the focus`}
        ends={halts}
        onStick={push}
      />
      <div class="side">
        <div class="arming">
          <label class="arm">
            <input
              type="checkbox"
              checked={armed}
              disabled={lost}
              onChange={(event) => setArmed(event.currentTarget.checked)}
            />
            Armed
          </label>
          <span class="muted">
            {lost ? 'Not connected.' : armed ? 'Push, or W A S D.' : 'Arm it to drive.'}
          </span>
        </div>
        <label for={id}>
          Speed limit <strong>{quantity(limit, 'ratio')}</strong>
        </label>
        <input
          id={id}
          type="range"
          min="0.1"
          max="1"
          step="0.05"
          value={limit}
          aria-valuetext={`${quantity(limit * mps, 'm/s')}, ${quantity(limit * radps, 'rad/s')}`}
          onInput={(event) => setLimit(Number(event.currentTarget.value))}
        />
        <p class="muted">
          {quantity(limit * mps, 'm/s')}, {quantity(limit * radps, 'rad/s', 0)}
        </p>
      </div>
      <div class="stops">
        <button class="button stop" type="button" onClick={halt}>
          <Square size={16} aria-hidden="true" /> Stop
        </button>
        <EmergencyStop robot={robot} figure={figure} feed={feed} />
      </div>
      <div class="said" role="status">
        {driver.refusal.value && (
          <p class="why">
            {driver.refusal.value.message}
            {driver.refusal.value.advice && <small>{driver.refusal.value.advice}</small>}
          </p>
        )}
      </div>
    </div>
  )
}

function EmergencyStop({ robot, feed }: Shown) {
  drawnWith(feed.tick.value)
  const control = newest(feed, robot.robot, 'control')?.data
  return (
    <>
      <StopButton robot={robot} control={control} words="Emergency stop" />
      <ReleaseButton robot={robot} control={control} />
    </>
  )
}
