// Sends the robot to a place, a point or a charger, and calls it off; the state of the drive is below.

import { Navigation, X, Zap } from 'lucide-preact'
import { useEffect, useId, useState } from 'preact/hooks'

import { command } from '../../../api/http'
import type { Update } from '../../../api/types'
import { simulated } from '../../../live/gateway'
import { number, text, words } from '../../../live/read'
import { readWorld, world } from '../../../live/world'
import { attempt } from '../../../parts/toast'
import type { Shown } from '../robotFeed'
import { quantity } from '../units'

export function GoTo({ robot, figure, feed }: Shown) {
  const [place, setPlace] = useState('')
  const [x, setX] = useState('')
  const [y, setY] = useState('')
  const id = useId()
  useEffect(() => {
    if (simulated.value && !world.value) void readWorld()
  }, [])
  const places = (world.value?.shapes ?? []).flatMap((it) =>
    it.layer === 'place' && it.name ? [it.name] : [],
  )
  const go = (to: Record<string, unknown>) =>
    void attempt(command(robot.robot, { command: 'navigate', to }), 'On its way')
  const toPlace = (event: Event) => {
    event.preventDefault()
    go({ place: place.trim() })
  }
  const toPoint = (event: Event) => {
    event.preventDefault()
    go({ x_m: Number(x), y_m: Number(y) })
  }
  return (
    <>
      <form class="row" onSubmit={toPlace}>
        <input
          class="field grow"
          list={id}
          required
          placeholder="Place"
          aria-label="Place"
          value={place}
          onInput={(event) => setPlace(event.currentTarget.value)}
        />
        <datalist id={id}>
          {places.map((it) => (
            <option key={it} value={it} />
          ))}
        </datalist>
        <button class="button" type="submit">
          <Navigation size={16} aria-hidden="true" /> Go
        </button>
      </form>
      <form class="row" onSubmit={toPoint}>
        <Coordinate name="x" value={x} onValue={setX} />
        <Coordinate name="y" value={y} onValue={setY} />
        <button class="button" type="submit">
          <Navigation size={16} aria-hidden="true" /> Go
        </button>
      </form>
      <div class="row">
        <button class="button" type="button" onClick={() => go({ charger: {} })}>
          <Zap size={16} aria-hidden="true" /> To the charger
        </button>
        {figure?.commands.includes('cancel_navigation') && (
          <button
            class="button"
            type="button"
            onClick={() => void attempt(command(robot.robot, { command: 'cancel_navigation' }), 'Cancelled')}
          >
            <X size={16} aria-hidden="true" /> Call off
          </button>
        )}
      </div>
      <Standing robot={robot} figure={figure} feed={feed} />
    </>
  )
}

function Coordinate({
  name,
  value,
  onValue,
}: {
  name: string
  value: string
  onValue: (value: string) => void
}) {
  return (
    <input
      class="field coordinate"
      type="number"
      step="any"
      required
      placeholder={`${name}, m`}
      aria-label={`${name} in metres`}
      value={value}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
  )
}

/** How the last drive stands, as far as the page heard of it. */
function Standing({ robot, feed }: Shown) {
  const [last, setLast] = useState<Update | undefined>()
  useEffect(
    () =>
      feed.listen((update) => {
        if (update.kind === 'navigation') setLast(update)
      }),
    [feed],
  )
  if (last?.robot !== robot.robot) return null
  const left = number(last.data, 'remaining_m')
  const reason = text(last.data, 'reason') ?? text(last.data, 'failure')
  return (
    <p role="status">
      {words(text(last.data, 'state') ?? 'unknown')}
      {left !== null && `, ${quantity(left, 'm')} to go`}
      {reason && <span class="why"> ({words(reason).toLowerCase()})</span>}
    </p>
  )
}
