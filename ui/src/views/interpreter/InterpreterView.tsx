// The same event as the model has it, as the robot sent it and as each dialect says it.

import { Pause, Play } from 'lucide-preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'

import type { Feed, Known } from '../../api/feed'
import { useFeed } from '../../api/feeds'
import type { Robot, Update } from '../../api/types'
import { dialects, figures, kinds, reach, robots } from '../../live/gateway'
import { usePoll } from '../../live/poll'
import { clock, since } from '../../live/time'
import { Empty } from '../../parts/Empty'
import { Status } from '../../parts/Status'
import { inOrder } from '../connections/order'
import { Columns } from './Columns'
import { Head } from './Head'
import { KeyChooser } from './KeyChooser'
import { example, first, fromAddress, type Key, keysOf } from './keys'
import { Lines } from './Lines'

const KEYS_EVERY_MS = 10_000

type Params = Record<string, string | undefined>

export function InterpreterView({ params }: { params: Params }) {
  const [, go] = useLocation()
  const asked = fromAddress(params['*'])
  const there = inOrder(robots.value)
  const shown = useMemo(
    () => (asked.robot ? null : example(there, figures.value, dialects.value)),
    [asked.robot, there.map((it) => it.robot).join(), figures.value, dialects.value],
  )
  const name = asked.robot ?? shown?.robot ?? null
  const robot = there.find((it) => it.robot === name)
  const keys = useKeys(name, robot?.family)
  const chosen = useMemo(
    () => asked.key ?? shown?.key ?? first(keys, dialects.value, robot?.family),
    [asked.key?.name, shown, keys, dialects.value, robot?.family],
  )
  const choose = (robotName: string, key: Key | null) =>
    go(`/interpreter/${robotName}${key ? `/${key.name}` : ''}`)
  return (
    <div class="interpreter">
      <Head title="Interpreter" here="/interpreter">
        One event: in the common model, as the robot sent it, and in each dialect.
      </Head>
      <div class="choice">
        <select
          class="field"
          aria-label="Robot"
          value={name ?? ''}
          onChange={(event) => choose(event.currentTarget.value, null)}
        >
          {name !== null && !robot && <option value={name}>{name} (not there now)</option>}
          {there.map((it) => (
            <option key={it.robot} value={it.robot}>
              {it.robot}
            </option>
          ))}
        </select>
        <KeyChooser keys={keys} chosen={chosen} onChoose={(key) => name && choose(name, key)} />
        {name && chosen && <Shown key={`${name}/${chosen.name}`} robot={name} chosen={chosen} />}
      </div>
      {!name && <Empty title="No robots yet">Connect one, or start `latimer demo`.</Empty>}
      {name && !chosen && <Empty title={`${name} has published nothing yet`} />}
    </div>
  )
}

/** A robot's last kinds and those that its family's sensors publish. */
function useKeys(robot: string | null, family: string | undefined): Key[] {
  const select = robot === null ? null : encodeURIComponent(`${robot}/**`)
  const last = usePoll<{ updates: Update[] }>(select && `/api/v1/last?select=${select}`, KEYS_EVERY_MS)
  const events = usePoll<{ updates: Update[] }>(
    select && `/api/v1/events?select=${select}&n=500`,
    KEYS_EVERY_MS,
  )
  const figure = figures.value[family ?? '']
  const own = dialects.value.find((it) => it.name === family)
  return useMemo(() => {
    if (robot === null || (!last.value && !last.error)) return []
    const translated = (own?.messages ?? []).flatMap((message) => message.kinds)
    return keysOf([...(last.value?.updates ?? []), ...(events.value?.updates ?? [])], figure, translated)
  }, [robot, last, events, figure, own])
}

/** What is known of a robot; when it is gone, what was known last. */
function useRobot(name: string): { robot: Robot | undefined; there: boolean } {
  const now = robots.value.find((it) => it.robot === name)
  const last = useRef(now)
  last.current = now ?? last.current
  return { robot: last.current, there: now !== undefined }
}

function Shown({ robot, chosen }: { robot: string; chosen: Key }) {
  const address = `${robot}/${chosen.name}`
  const isEvent = kinds.value[chosen.kind]?.class === 'event'
  // Of states twice a second is as fast as a person reads; of events none may be missed.
  const every = isEvent ? {} : { every: '500ms' }
  // A kind that was chosen without a part may have parts all the same.
  const select = chosen.part === null && !isEvent ? `${address},${address}/*` : address
  const feed = useFeed({ select, as: 'all', native: true, batch: '250ms', ...every })
  const [paused, setPaused] = useState(false)
  const [earlier, setEarlier] = useState<Update | null>(null)
  const held = useRef<Update | null>(null)
  const missed = useRef(0)

  // An event may have happened long ago; the gateway keeps the last ones, in the model's words.
  const before = usePoll<{ updates: Update[] }>(
    isEvent ? `/api/v1/events?select=${encodeURIComponent(address)}&n=1&as=all` : null,
    3_600_000,
  )
  useEffect(() => setEarlier(before.value?.updates.at(-1) ?? null), [before.value])

  const newest = feed.tick.value >= 0 ? newestOf(feed, address) : null
  if (paused && held.current) {
    if (newest && newest.sequence !== held.current.sequence)
      missed.current = newest.sequence - held.current.sequence
  } else {
    held.current = newest ?? held.current
    missed.current = 0
  }
  const update = held.current ?? earlier
  const known = useRobot(robot)
  const lost = feed.state.value === 'lost' || reach.value === 'lost'
  const old = lost || !known.there
  return (
    <>
      <button class="button" type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
        {paused ? <Play size={16} /> : <Pause size={16} />}
        {paused ? 'Continue' : 'Pause'}
      </button>
      <span class="now" role="status">
        {paused ? (
          <Status tone="warn">{`Paused${missed.current > 0 ? `, ${missed.current} newer` : ''}`}</Status>
        ) : lost ? (
          <Status tone="bad">Gateway lost</Status>
        ) : !known.there ? (
          <Status tone="warn">Robot not there</Status>
        ) : null}
      </span>
      {update && (
        <span class="muted when">
          Number {update.sequence}, {clock(update.stamp.at)}
          {isEvent && `, ${since(update.stamp.at)} ago`}
        </span>
      )}
      <Lines address={address} />
      <div class="shown">
        {feed.error.value && !update && <Empty title={feed.error.value} />}
        {update && old && (
          <p class="old" role="status">
            {lost
              ? 'The gateway cannot be reached: these are the last messages.'
              : `The gateway has no robot named ${robot} now: these are the last messages.`}
          </p>
        )}
        {update ? (
          <Columns update={update} robot={known.robot} dim={old} />
        ) : (
          <Empty title={`Nothing of ${address} yet`}>
            {isEvent
              ? 'It is shown here as soon as it happens.'
              : 'It is shown here as soon as the robot tells it.'}
          </Empty>
        )}
      </div>
    </>
  )
}

function newestOf(feed: Feed, address: string): Update | null {
  const exact = feed.values.get(address)
  if (exact) return exact.update
  let newest: Known | null = null
  for (const known of feed.values.values()) if (!newest || known.at > newest.at) newest = known
  return newest?.update ?? null
}
