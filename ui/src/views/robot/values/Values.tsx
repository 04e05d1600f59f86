// Every last value of the robot as it came, for who develops with it.

import './values.css'

import { useState } from 'preact/hooks'

import { Empty } from '../../../parts/Empty'
import { Provenance } from '../../../parts/Provenance'
import { age } from '../../../live/time'
import { drawnWith, type Shown } from '../robotFeed'

export function Values({ robot, feed }: Shown) {
  const [filter, setFilter] = useState('')
  drawnWith(feed.tick.value)
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const now = performance.now()
  const rows = [...feed.values]
    .map(([key, { update, at }]) => ({
      key,
      at,
      kind: update.kind,
      provenance: update.provenance,
      value: JSON.stringify(update.data ?? {}),
    }))
    .filter((row) => words.every((word) => `${row.key} ${row.value}`.toLowerCase().includes(word)))
    .sort((a, b) => a.key.localeCompare(b.key, 'en', { numeric: true }))
  const cut = robot.robot.length + 1
  return (
    <div class="values">
      <h2 class="visually-hidden">Values</h2>
      <div class="tools">
        <input
          class="field"
          type="search"
          placeholder="Filter by key or value"
          aria-label="Filter by key or value"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span class="muted">
          {rows.length} of {feed.values.size} keys. Pictures and sound are left out.
        </span>
      </div>
      {rows.length === 0 ? (
        <Empty title="No value fits">
          The robot published nothing of that sort since this page was opened.
        </Empty>
      ) : (
        <div class="panel scroll" tabIndex={0} role="region" aria-label="Last values">
          <table>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Age</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row" class="mono">
                    <a href={`/interpreter/${row.key}`}>{row.key.slice(cut)}</a>
                  </th>
                  <td>{now - row.at < 1000 ? 'now' : age(now - row.at)}</td>
                  <td class="mono">
                    {row.value}
                    <Provenance of={row.provenance} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
