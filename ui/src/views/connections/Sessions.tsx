// What clients have open: connections of every protocol and logins, which an admin can end.

import { useState } from 'preact/hooks'

import { end } from '../../api/http'
import type { ClientSession } from '../../api/types'
import { me } from '../../live/me'
import { usePoll } from '../../live/poll'
import { since } from '../../live/time'
import { Empty } from '../../parts/Empty'
import { type Column, Table } from '../../parts/Table'
import { attempt } from '../../parts/toast'

const EVERY_MS = 2_000

const keyOf = (session: ClientSession) => String(session.id)

/** Only an admin may see who is there; of a gateway without users everybody may. */
export const Sessions = () => (me.value?.is_admin ? <ForAdmins /> : null)

function ForAdmins() {
  const [ended, setEnded] = useState(0)
  const polled = usePoll<{ sessions: ClientSession[] }>('/api/v1/sessions', EVERY_MS, ended)
  const sessions = polled.value?.sessions ?? []
  const endOne = async ({ id, protocol, peer }: ClientSession) => {
    await attempt(end(`/api/v1/sessions/${id}`), `${protocol} of ${peer} is ended`)
    setEnded((count) => count + 1)
  }
  const columns: Column<ClientSession>[] = [
    { head: 'Protocol', cell: ({ protocol }) => <strong>{protocol}</strong> },
    { head: 'User', cell: ({ user }) => user ?? <span class="muted">none</span> },
    { head: 'From', cell: ({ peer }) => <span class="mono">{peer}</span> },
    { head: 'Client', cell: ({ client }) => <span class="mono">{client ?? ''}</span> },
    { head: 'For', short: true, cell: (session) => since(session.since) },
    {
      head: 'End',
      short: true,
      cell: (session) => (
        <button
          type="button"
          class="button quiet"
          aria-label={`End ${session.protocol} of ${session.user ?? session.peer}`}
          onClick={() => void endOne(session)}
        >
          End
        </button>
      ),
    },
  ]
  return (
    <section class="panel" aria-label="Sessions">
      <header>
        <h2>Sessions</h2>
        <span class="muted">{polled.value ? sessions.length : ''}</span>
      </header>
      {polled.error && !polled.value ? (
        <div class="body">
          <Empty title={polled.error} />
        </div>
      ) : (
        <Table label="Sessions" columns={columns} rows={sessions} rowKey={keyOf} />
      )}
      <p class="hint muted">
        A connection that is ended can be made again by a client whose user is still there: take the user out
        of the users’ file, or change its password, and all of it ends for good.
      </p>
    </section>
  )
}
