// Every robot in a line: how it is, the way to drive it, and its stop.

import { useComputed } from '@preact/signals'
import { Gamepad2 } from 'lucide-preact'

import type { Robot } from '../../api/types'
import { figures, reach, robots } from '../../live/gateway'
import { number } from '../../live/read'
import { isStopped } from '../../live/stops'
import { useWorldFeed } from '../../live/world'
import { Empty } from '../../parts/Empty'
import { ReleaseButton, StopButton } from '../../parts/RobotStop'
import { Silhouette } from '../../parts/Silhouette'
import { Status } from '../../parts/Status'
import { condition } from '../fleet/condition'
import { type FleetFeeds, saidBy, useFleetFeeds } from '../fleet/feeds'
import { selected } from '../map/options'

export function Strip() {
  const feeds = useFleetFeeds()
  const now = useWorldFeed('1s')
  const paused = useComputed(() => now.value?.paused === true).value
  if (robots.value.length === 0) {
    return reach.value === 'up' ? (
      <Empty title="No robots yet">
        Run <code>latimer demo</code>, or add robots to the config of this gateway.
      </Empty>
    ) : (
      <Empty title="Waiting for the gateway" />
    )
  }
  return (
    <ul>
      {robots.value.map((robot) => (
        <Row key={robot.robot} robot={robot} feeds={feeds} paused={paused} />
      ))}
    </ul>
  )
}

function Row({ robot, feeds, paused }: { robot: Robot; feeds: FleetFeeds; paused: boolean }) {
  feeds.states.watch()
  feeds.events.watch()
  const said = saidBy(feeds, robot.robot)
  const lost = reach.value === 'lost'
  const { tone, word, short, more } = condition(robot, said, lost ? 'lost' : paused ? 'paused' : null)
  const charge = number(said('battery'), 'charge_ratio')
  const control = said('control')
  // Its release takes the room of a word.
  const stopped = isStopped(robot, control)
  const chosen = selected.value === robot.robot
  const takes = figures.value[robot.family]?.commands ?? []
  return (
    <li data-robot={robot.robot} data-chosen={chosen}>
      <button
        class="pick"
        type="button"
        aria-pressed={chosen}
        title={more ?? undefined}
        onClick={() => (selected.value = chosen ? null : robot.robot)}
      >
        <Silhouette family={robot.family} size={28} />
        <span class="name">
          <strong>{robot.robot}</strong>
          <span class="how">
            <Status tone={tone}>{short ?? word}</Status>
            {charge !== null && <small>{Math.round(charge * 100)} %</small>}
            {robot.unstopped && <small class="owes">{more}</small>}
          </span>
        </span>
      </button>
      {stopped && <ReleaseButton robot={robot} control={control} />}
      <a class="button" href={`/robot/${robot.robot}`} aria-label={`Open ${robot.robot} to drive it`}>
        <Gamepad2 size={16} aria-hidden="true" /> {stopped ? '' : takes.includes('drive') ? 'Drive' : 'Open'}
      </a>
      <StopButton robot={robot} control={control} />
    </li>
  )
}
