// One robot. Only its own row is drawn again when something comes.

import { memo } from 'preact/compat'

import type { Feed } from '../../api/feed'
import type { Robot } from '../../api/types'
import { figures, rates, reach } from '../../live/gateway'
import { number, text } from '../../live/read'
import { age, seconds, since, STALE_MS } from '../../live/time'
import { Silhouette } from '../../parts/Silhouette'
import { Status } from '../../parts/Status'
import { alerts, condition, task } from './condition'
import { saidBy } from './feeds'
import { nearest, organs } from './senses'

interface Props {
  robot: Robot
  states: Feed
  events: Feed
  /** The simulated world stands still. */
  paused: boolean
}

export const FleetRow = memo(function FleetRow({ robot, states, events, paused }: Props) {
  states.watch()
  events.watch()
  const said = saidBy({ states, events }, robot.robot)
  const lost = reach.value === 'lost'
  const { tone, word, more } = condition(robot, said, lost ? 'lost' : paused ? 'paused' : null)
  const nothing = robot.received === 0 ? 'no data' : 'none'
  const wrong = alerts(said)
  const near = nearest(states, robot.robot)
  const has = organs(figures.value[robot.family])
  const doing = task(said('task'))
  const title = figures.value[robot.family]?.title ?? robot.family
  const kind = robot.origin === 'connected' ? `${title}, ${robot.address ?? 'connected'}` : title
  return (
    <div class="row" role="row" data-robot={robot.robot}>
      <span role="cell" class="who">
        <Silhouette family={robot.family} />
        <span>
          <a href={`/robot/${robot.robot}`}>{robot.robot}</a>
          <small title={kind}>{kind}</small>
        </span>
      </span>
      <span role="cell" class="state">
        <Status tone={tone}>{word}</Status>
        {more && <small title={more}>{more}</small>}
      </span>
      <span role="cell" class="task">
        {doing ?? <span class="muted">{nothing}</span>}
      </span>
      <span role="cell" class="charge">
        <BatteryCell robot={robot} feed={states} />
      </span>
      <span role="cell" class="senses">
        {near === null ? null : `nearest ${near.toFixed(2)} m`}
        <small title={has}>{has}</small>
      </span>
      <span role="cell" class="alerts">
        {wrong.length === 0 ? (
          <span class="muted">{nothing}</span>
        ) : (
          <span title={wrong.map((alert) => alert.message).join('\n')}>
            <Status tone={wrong[0]?.severity === 'error' ? 'bad' : 'warn'}>{String(wrong.length)}</Status>
            <small>{wrong[0]?.message}</small>
          </span>
        )}
      </span>
      <span role="cell" class="link">
        {lost ? 'not known' : `${robot.link.state} ${since(robot.link.since)}`}
        {robot.link.reconnects > 0 && <small>came back {robot.link.reconnects}×</small>}
      </span>
      <span role="cell" class="rate">
        {lost ? '–' : Math.round(rates.value[robot.robot] ?? 0)}
        <small>/s</small>
      </span>
    </div>
  )
})

function BatteryCell({ robot, feed }: { robot: Robot; feed: Feed }) {
  const known = feed.values.get(`${robot.robot}/battery`)
  const data = known?.update.data
  const ratio = number(data, 'charge_ratio')
  const volts = number(data, 'voltage_v')
  if (!known || (ratio === null && volts === null)) return <span class="muted">no data</span>
  // A battery is published seldom, but never this seldom.
  const old = seconds.value - Date.parse(known.update.received)
  const stale = robot.link.state !== 'up' || old > 15 * STALE_MS
  const level = ratio === null ? '' : ratio < 0.15 ? 'low' : ''
  const says = ratio === null ? `${volts?.toFixed(1) ?? ''} V` : `${Math.round(ratio * 100)} %`
  return (
    <span class="battery" data-stale={stale} title={`${text(data, 'state') ?? ''}, ${age(old)} ago`}>
      {ratio !== null && (
        <span class={`gauge ${level}`}>
          <i style={{ width: `${Math.round(ratio * 100)}%` }} />
        </span>
      )}
      {says}
      {stale && <small>stale</small>}
    </span>
  )
}
