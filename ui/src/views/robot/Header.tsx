// Who the robot is and how it is: link, battery, who drives, how much it says.

import { ChevronLeft } from 'lucide-preact'

import { stands } from '../../api/http'
import { familyColor, rates } from '../../live/gateway'
import { number, text, words } from '../../live/read'
import { clientWords, isStopped } from '../../live/stops'
import { seconds, since } from '../../live/time'
import { Status, type Tone } from '../../parts/Status'
import { attempt } from '../../parts/toast'
import { unstopped } from '../fleet/condition'
import { drawnWith, type Freshness, freshness, newest, type Shown } from './robotFeed'
import { fixed, quantity } from './units'

export function Header({ robot, figure, feed }: Shown) {
  return (
    <header class="head">
      <a class="button quiet back" href="/fleet" aria-label="Back to the fleet">
        <ChevronLeft size={20} />
      </a>
      <div class="who">
        <h1>
          <span class="dot" style={{ background: familyColor(robot.family) }} aria-hidden="true" />
          {robot.robot}
        </h1>
        <p class="muted">
          {figure?.title ?? robot.family}, {robot.origin}
          {robot.address && ` at ${robot.address}`}
        </p>
      </div>
      <State robot={robot} figure={figure} feed={feed} />
    </header>
  )
}

const STATES: Record<Exclude<Freshness, 'disconnected'>, [Tone, string]> = {
  live: ['good', 'Connected'],
  stale: ['warn', 'Stale'],
  paused: ['warn', 'World paused'],
  lost: ['bad', 'Gateway lost'],
}
const LINKS: Record<string, [Tone, string]> = {
  connecting: ['busy', 'Connecting'],
  down: ['bad', 'Disconnected'],
}

function State({ robot, feed }: Shown) {
  drawnWith(feed.tick.value)
  drawnWith(seconds.value)
  const last = (kind: string) => newest(feed, robot.robot, kind)?.data
  const charge = number(last('battery'), 'charge_ratio')
  const power = text(last('battery'), 'state')
  const control = last('control')
  const mode = text(control, 'mode')
  const stopped = isStopped(robot, control)
  const run = text(last('status'), 'run_state')
  const rate = rates.value[robot.robot]
  const fresh = freshness(robot, feed)
  const { state } = robot.link
  const [tone, word] = fresh === 'disconnected' ? (LINKS[state] ?? ['none', state]) : STATES[fresh]
  return (
    <ul class="states" aria-label="State">
      <li>
        <Status tone={tone}>{word}</Status>
      </li>
      {robot.unstopped && (
        <li class="unstopped" role="alert">
          <Status tone="bad">May move</Status>
          <span>{unstopped(robot)}</span>
          <button
            class="button"
            type="button"
            title="Somebody has looked: it stands. The alert ends, and no stop is sent again."
            onClick={() => void attempt(stands(robot.robot))}
          >
            It stands
          </button>
        </li>
      )}
      {stopped && (
        <li>
          <Status tone="bad">Emergency stop</Status>
          {robot.emergency_stop && <span class="muted">by {clientWords(robot.emergency_stop)}</span>}
        </li>
      )}
      <Fact name="Battery" low={charge !== null && charge < 0.2}>
        {quantity(charge, 'ratio')}
        {power === 'charging' ? ', charging' : ''}
      </Fact>
      {mode && <Fact name="Driven by">{mode === 'auto' ? 'itself' : mode === 'manual' ? 'hand' : mode}</Fact>}
      {robot.driver && (
        <Fact name={robot.driven ? 'Client that drives' : 'Client that drove last'}>
          {clientWords(robot.driver)}
        </Fact>
      )}
      {run && <Fact name="System">{words(run).toLowerCase()}</Fact>}
      <Fact name="Link since">{fresh === 'lost' ? 'unknown' : since(robot.link.since)}</Fact>
      <Fact
        name="Data"
        title="What the gateway receives from the robot now. It grows with what is watched, since pictures and fast values are sent only while somebody asks for them."
      >
        {rate === undefined || fresh === 'lost' ? 'no data' : `${fixed(rate, 0)} /s`}
      </Fact>
      {robot.link.reason && <li class="reason">{robot.link.reason}</li>}
    </ul>
  )
}

interface FactProps {
  name: string
  low?: boolean
  title?: string
  children: preact.ComponentChildren
}

function Fact({ name, low, title, children }: FactProps) {
  return (
    <li class={low ? 'fact low' : 'fact'} title={title}>
      <span>{name}</span> <strong>{children}</strong>
    </li>
  )
}
