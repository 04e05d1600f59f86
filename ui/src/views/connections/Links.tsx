// How the gateway reaches each robot.

import type { Link, Robot } from '../../api/types'
import { rates, robots } from '../../live/gateway'
import { since } from '../../live/time'
import { Empty } from '../../parts/Empty'
import { Status, type Tone } from '../../parts/Status'
import { type Column, Table } from '../../parts/Table'
import { inOrder } from './order'
import { rate } from './rates'
import { skewText } from './skew'

const LINKS: Record<string, [Tone, string]> = {
  up: ['good', 'Connected'],
  connecting: ['busy', 'Connecting'],
  down: ['bad', 'Disconnected'],
}

export function Links() {
  const columns: Column<Robot>[] = [
    {
      head: 'Robot',
      short: true,
      cell: (it) => <a href={`/robot/${encodeURIComponent(it.robot)}`}>{it.robot}</a>,
    },
    {
      head: 'Link',
      cell: ({ link }) => {
        const [tone, word] = LINKS[link.state] ?? ['none', link.state]
        return <Status tone={tone}>{word}</Status>
      },
    },
    { head: 'For', short: true, cell: (it) => since(it.link.since) },
    {
      head: 'Address',
      cell: (it) =>
        it.address === null ? (
          <span class="muted">simulated here</span>
        ) : (
          <span class="mono">{it.address}</span>
        ),
    },
    { head: 'Data now, /s', number: true, cell: (it) => rate(rates.value[it.robot] ?? null) },
    { head: 'Came back', number: true, cell: (it) => `${it.link.reconnects} times` },
    { head: 'Clock differs', number: true, cell: (it) => skew(it.link) },
    { head: 'Not understood', number: true, cell: (it) => <Refused robot={it} /> },
    { head: 'Why', cell: (it) => it.link.reason ?? '' },
  ]
  return (
    <section class="panel" aria-label="Robots">
      <header>
        <h2>Robots</h2>
        <span class="muted">{robots.value.length}</span>
      </header>
      {robots.value.length === 0 ? (
        <div class="body">
          <Empty title="No robots" />
        </div>
      ) : (
        <Table label="Robots" columns={columns} rows={inOrder(robots.value)} rowKey={(it) => it.robot} />
      )}
      <p class="hint muted">
        Data now: what the gateway receives in a second. It grows with what is watched, since pictures and
        fast values are sent only while somebody asks for them.
      </p>
    </section>
  )
}

function skew({ skew_min_s: min, skew_max_s: max }: Link) {
  if (min === null || max === null) return <span class="muted">no data</span>
  return skewText(min, max)
}

/** Messages that were wrong or that nobody knows. */
function Refused({ robot }: { robot: Robot }) {
  const count = robot.refused + robot.unknown
  return count === 0 ? <span>0</span> : <Status tone="warn">{String(count)}</Status>
}
