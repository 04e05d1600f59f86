// Who is connected, in which dialect, what they ask for and what they get.

import { useRef } from 'preact/hooks'

import type { Sink } from '../../api/types'
import { usePoll } from '../../live/poll'
import { since } from '../../live/time'
import { Empty } from '../../parts/Empty'
import { Status } from '../../parts/Status'
import { type Column, Table } from '../../parts/Table'
import { keyOf, rate, Rates } from './rates'

const EVERY_MS = 2_000

export function Sinks() {
  const polled = usePoll<{ sinks: Sink[] }>('/api/v1/sinks', EVERY_MS)
  const rates = useRef(new Rates())
  const counted = useRef(0)
  const sinks = polled.value?.sinks ?? []
  if (polled.at !== counted.current) {
    counted.current = polled.at
    rates.current.take(
      sinks.map((sink) => [keyOf(sink), sink.delivered]),
      polled.at,
    )
  }
  const columns: Column<Sink>[] = [
    { head: 'Dialect', cell: (sink) => <strong>{sink.dialect}</strong> },
    { head: 'Who', cell: (sink) => <span class="mono">{sink.peer}</span> },
    { head: 'For', short: true, cell: (sink) => since(sink.since) },
    { head: 'Asks for', cell: (sink) => <Asked sink={sink} /> },
    { head: 'Sent now, /s', number: true, cell: (sink) => rate(rates.current.of(keyOf(sink))) },
    { head: 'Replaced', number: true, cell: (sink) => sink.coalesced.toLocaleString('en') },
    { head: 'Waiting', number: true, cell: (sink) => sink.waiting },
    { head: 'Lost', number: true, cell: (sink) => <Lost count={sink.lost} /> },
  ]
  const clients = sinks.filter((sink) => !sink.internal)
  const own = sinks.filter((sink) => sink.internal)
  return (
    <>
      <section class="panel" aria-label="Who is connected">
        <header>
          <h2>Clients</h2>
          <span class="muted">{polled.value ? clients.length : ''}</span>
        </header>
        {polled.error && !polled.value ? (
          <div class="body">
            <Empty title={polled.error} />
          </div>
        ) : polled.value && clients.length === 0 ? (
          <div class="body">
            <Empty title="No client is connected" />
          </div>
        ) : (
          <Table label="Clients" columns={columns} rows={clients} rowKey={keyOf} />
        )}
        <p class="hint muted">
          Sent now: updates in the last second, which follow what is asked for at the moment. Replaced: older
          values that a newer one overtook, as is meant for states. Lost: events that a reader was too slow
          for; the client gets a message that says so. Clients of the MQTT broker and of ROS topics are not
          listed one by one here: the gateway publishes to all of them at once.
        </p>
      </section>
      {own.length > 0 && (
        <section class="panel" aria-label="Parts of the gateway">
          <header>
            <h2>Parts of the gateway</h2>
            <span class="muted">{own.length}</span>
          </header>
          <details>
            <summary>
              What the gateway itself reads, to remember events and to publish over MQTT and ROS
            </summary>
            <Table label="Parts of the gateway" columns={columns} rows={own} rowKey={keyOf} />
          </details>
        </section>
      )}
    </>
  )
}

const ASKED = 3

/** `a,b every 1s` as `a every 1s` and `b every 1s`. */
const expressions = (selects: string[]) =>
  selects.flatMap((select) => {
    const [keys = '', ...rest] = select.split(' ')
    return keys.split(',').map((key) => [key, ...rest].join(' '))
  })

function Asked({ sink }: { sink: Sink }) {
  const { subscriptions } = sink
  const selects = expressions(sink.selects)
  if (selects.length === 0) return <span class="muted">{subscriptions} subscriptions</span>
  const item = (select: string) => (
    <li key={select} class="mono">
      {select}
    </li>
  )
  return (
    <>
      <ul class="asked">{selects.slice(0, ASKED).map(item)}</ul>
      {selects.length > ASKED && (
        <details>
          <summary>{selects.length - ASKED} more</summary>
          <ul class="asked">{selects.slice(ASKED).map(item)}</ul>
        </details>
      )}
    </>
  )
}

const Lost = ({ count }: { count: number }) =>
  count === 0 ? <span>0</span> : <Status tone="bad">{`${count.toLocaleString('en')} lost`}</Status>
