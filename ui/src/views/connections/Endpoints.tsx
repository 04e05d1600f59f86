// Where to reach what, with a line to try it.

import { useState } from 'preact/hooks'

import type { Endpoint } from '../../api/types'
import { dialects } from '../../live/gateway'
import { grouped } from '../../live/group'
import { usePoll } from '../../live/poll'
import { CopyLine } from '../../parts/CopyLine'
import { Empty } from '../../parts/Empty'
import { byName } from './order'

const EVERY_MS = 30_000

export function Endpoints() {
  const polled = usePoll<{ endpoints: Endpoint[] }>('/api/v1/endpoints', EVERY_MS)
  const [robot, setRobot] = useState('')
  const all = polled.value?.endpoints ?? []
  const names = [...new Set(all.map((it) => it.robot).filter((it) => it !== null))].sort(byName)
  const shown = all.filter((it) => robot === '' || it.robot === null || it.robot === robot)
  return (
    <section class="panel endpoints" aria-label="Where to reach what">
      <header>
        <h2>Where to reach what</h2>
        <span class="spread" />
        <select
          class="field"
          aria-label="Robot to reach"
          value={robot}
          onChange={(event) => setRobot(event.currentTarget.value)}
        >
          <option value="">All robots</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </header>
      <div class="body">
        {polled.error && !polled.value && <Empty title={polled.error} />}
        {polled.value && shown.length === 0 && (
          <Empty title="No addresses">The gateway serves others in no dialect but its own, from here.</Empty>
        )}
        {grouped(shown, (it) => it.dialect).map(([dialect, own]) => (
          <details key={dialect} open={shown.length <= 12 || dialect !== 'latimer'}>
            <summary>
              <h3>{dialect}</h3>
              <span class="muted">
                {dialects.value.find((it) => it.name === dialect)?.transport ?? ''} {own.length}{' '}
                {own.length === 1 ? 'address' : 'addresses'}
              </span>
            </summary>
            <ul>
              {own.map((it) => (
                <li key={`${it.robot ?? ''} ${it.url}`}>
                  <p class="mono">{it.url}</p>
                  <CopyLine label={it.robot ?? 'any robot'} line={it.try_line} />
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </section>
  )
}
