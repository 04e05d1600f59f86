// What happened: events of all robots, changes of their alerts and connections, newest first.

import './log.css'

import { Pause, Play } from 'lucide-preact'
import { useEffect, useState } from 'preact/hooks'

import { useFeed } from '../../api/feeds'
import type { Update } from '../../api/types'
import { kinds } from '../../live/gateway'
import { get } from '../../api/http'
import { Empty } from '../../parts/Empty'
import { Status } from '../../parts/Status'
import { byName } from '../connections/order'
import { Alerts } from './Alerts'
import { Book, wants } from './book'
import { LogLine } from './LogLine'

const LINES = 2_000
const FIRST = 500
/** When the gateway's memory cannot be read, so long until the next time. */
const RETRY_MS = 2_000
/** So far down is no longer at the newest line. */
const AWAY_PX = 40
/** What is drawn at once; more on demand. */
const PAGE = 300

export function LogView(_: { params: Record<string, string | undefined> }) {
  return (
    <div class="log">
      <h1>Log</h1>
      <Alerts />
      {Object.keys(kinds.value).length > 0 && <Lines />}
    </div>
  )
}

function Lines() {
  const [book] = useState(() => new Book(LINES))
  const state = useBook(book)
  const [wanted, setWanted] = useState({ search: '', robot: '', kind: '', severity: '' })
  const [paused, setPaused] = useState(false)
  const [away, setAway] = useState(false)
  const [shown, setShown] = useState(PAGE)
  book.hold(paused || away)
  const all = book.read()
  const found = all.filter((entry) => wants(entry, wanted)).reverse()
  const choice = (name: 'robot' | 'kind', label: string) => (
    <select
      class="field"
      aria-label={label}
      value={wanted[name]}
      onChange={(event) => setWanted({ ...wanted, [name]: event.currentTarget.value })}
    >
      <option value="">All {name}s</option>
      {[...new Set([...all.map((entry) => entry[name]), wanted[name]])]
        .filter((it) => it !== '')
        .sort(byName)
        .map((it) => (
          <option key={it}>{it}</option>
        ))}
    </select>
  )
  return (
    <section class="panel book" aria-label="Events">
      <header>
        <input
          class="field search"
          type="search"
          aria-label="Search in the log"
          placeholder="Search"
          value={wanted.search}
          onInput={(event) => setWanted({ ...wanted, search: event.currentTarget.value })}
        />
        {choice('robot', 'Robot')}
        {choice('kind', 'Kind')}
        <select
          class="field"
          aria-label="Severity"
          value={wanted.severity}
          onChange={(event) => setWanted({ ...wanted, severity: event.currentTarget.value })}
        >
          <option value="">Everything</option>
          <option value="warning">Warnings and errors</option>
          <option value="error">Errors</option>
        </select>
        <button class="button" type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
          {paused ? <Play size={16} /> : <Pause size={16} />}
          {paused ? 'Continue' : 'Pause'}
        </button>
        <span class="state" role="status">
          {paused || away ? (
            <Status tone="warn">{`${book.fresh} new while paused`}</Status>
          ) : state === 'lost' ? (
            <Status tone="bad">Disconnected</Status>
          ) : (
            <Status tone="good">Live</Status>
          )}
        </span>
      </header>
      {found.length === 0 ? (
        <div class="body">
          <Empty title={all.length === 0 ? 'Nothing happened yet' : 'No line is like this'} />
        </div>
      ) : (
        <ol
          tabIndex={0}
          aria-label="Events, newest first"
          onScroll={(event) => setAway(event.currentTarget.scrollTop > AWAY_PX)}
        >
          {found.slice(0, shown).map((entry) => (
            <LogLine key={entry.id} entry={entry} />
          ))}
          {found.length > shown && (
            <li class="older">
              <button class="button" type="button" onClick={() => setShown(shown + PAGE)}>
                Show older ones ({found.length - shown})
              </button>
            </li>
          )}
        </ol>
      )}
      <footer class="muted">
        {found.length} of {all.length} lines
        {book.dropped > 0 && `; the log keeps ${LINES}, ${book.dropped} older ones were let go`}
      </footer>
    </section>
  )
}

/** Fills the book, first with what the gateway remembers, then with what happens; after a break again. */
function useBook(book: Book): 'connecting' | 'open' | 'lost' {
  const events = Object.values(kinds.value).filter((kind) => kind.class === 'event')
  const select = [...events.map(({ kind }) => `*/${kind}/**`), '*/alerts', '*/link'].join(',')
  const feed = useFeed({ select, batch: '250ms' })
  const [, draw] = useState(0)
  const state = feed.state.value
  useEffect(() => {
    const stopUpdates = feed.listen((update) => void book.take(update))
    const stopGaps = feed.onGap((gap) => book.gap(gap))
    return () => {
      stopUpdates()
      stopGaps()
    }
  }, [feed, book])
  // Again when the stream is open: what happens between the first answer and that is in the second only.
  useEffect(() => {
    if (state === 'lost') return
    let here = true
    let timer = 0
    const read = () =>
      void get<{ updates: Update[] }>(`/api/v1/events?n=${FIRST}`)
        .then(({ updates }) => {
          if (!here) return
          for (const update of updates) book.take(update, true)
          draw((before) => before + 1)
        })
        .catch(() => {
          if (here) timer = window.setTimeout(read, RETRY_MS)
        })
    read()
    return () => {
      here = false
      window.clearTimeout(timer)
    }
  }, [feed, book, state])
  return feed.tick.value >= 0 ? state : 'lost'
}
