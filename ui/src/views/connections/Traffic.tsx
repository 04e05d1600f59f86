// What this page itself asks for, by its own count.

import { useRef } from 'preact/hooks'

import { traffic } from '../../api/feeds'
import { seconds } from '../../live/time'
import { rate, Rates, size } from './rates'

export function Traffic() {
  const rates = useRef(new Rates())
  const counted = useRef(0)
  const now = traffic()
  if (seconds.value !== counted.current) {
    counted.current = seconds.value
    rates.current.take(
      [
        ['bytes', now.bytes],
        ['messages', now.messages],
        ['updates', now.updates],
      ],
      performance.now(),
    )
  }
  const bytes = rates.current.of('bytes')
  const facts: [string, string][] = [
    ['Open streams', String(now.sockets)],
    ['Updates a second', rate(rates.current.of('updates'))],
    ['Messages a second', rate(rates.current.of('messages'))],
    ['Data a second', bytes === null ? '…' : size(bytes)],
    ['Since the streams opened', size(now.bytes)],
  ]
  return (
    <section class="panel traffic" aria-label="This page">
      <header>
        <h2>This page</h2>
      </header>
      <dl class="body">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
