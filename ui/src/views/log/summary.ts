// An event in one sentence: a template for each kind, and the fields themselves for kinds without one.

import type { Update } from '../../api/types'
import { type Data, bool, list, number, text, words } from '../../live/read'
import { plain } from '../interpreter/change'

export type Severity = 'info' | 'warning' | 'error'

export interface Summary {
  words: string
  severity: Severity
}

/** `before` is what the same key said last, if that is known. */
type Teller = (data: Data, part: string, before: Data | undefined) => Summary | string

const bad = (said: string): Summary => ({ words: said, severity: 'error' })
const odd = (said: string): Summary => ({ words: said, severity: 'warning' })

/** What is left when some words are not known. */
const join = (...summary: (string | null | false)[]) => summary.filter((it) => it).join(' ')
const named = (data: Data, path: string) => {
  const word = text(data, path)
  return word === null ? null : word.replaceAll('_', ' ')
}
const why = (data: Data) => {
  const reason = text(data, 'reason') ?? named(data, 'failure')
  return reason === null ? '' : `: ${reason}`
}

const DRIVES: Record<string, string> = {
  moving: 'is on the way',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
  idle: 'has no drive',
}

const TASKS: Record<string, string> = {
  confirmed: 'was taken',
  missing_info: 'lacks something',
  unknown: 'cannot be done',
  progress: 'goes on',
  assistance: 'needs a person to choose',
  anomaly: 'met something unexpected',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'was cancelled',
}

interface Wrong {
  name: string
  severity: Severity
}

const hazards = (data: Data): Wrong[] =>
  list(data, 'items')
    .filter((item) => item['active'] === true)
    .map((item) => ({ name: words(String(item['part'])).toLowerCase(), severity: 'warning' }))

const alerts = (data: Data): Wrong[] =>
  list(data, 'active').map((item) => ({
    name: text(item, 'message') ?? 'unknown',
    severity: text(item, 'severity') === 'error' ? 'error' : 'warning',
  }))

/** What began, or else what ended; what still is, where neither is known. */
function turn(what: string, nothing: string, now: Wrong[], before: Wrong[] | undefined): Summary | string {
  const without = (all: Wrong[], others: Wrong[]) =>
    all.filter(({ name }) => !others.some((other) => other.name === name))
  const names = (all: Wrong[]) => all.map(({ name }) => name).join('; ')
  const ended = before ? without(before, now) : []
  const began = before ? without(now, before) : now
  const over = ended.length > 0 ? `${what} over: ${names(ended)}` : null
  if (began.length === 0 && over !== null) return over
  const shown = began.length > 0 ? began : now
  if (shown.length === 0) return nothing
  const said = join(`${what}: ${names(shown)}`, over !== null && `(${over.toLowerCase()})`)
  return shown.some(({ severity }) => severity === 'error') ? bad(said) : odd(said)
}

const SUMMARIES: Record<string, Teller> = {
  contact: (data, part) => {
    const verb =
      named(data, 'sensor') === 'touch' ? ['was touched', 'was let go'] : ['was pressed', 'came free']
    return `${part || 'Something'} ${bool(data, 'contacted') ? verb[0] : verb[1]}`
  },
  key_phrase: (data) => {
    const phrase = text(data, 'phrase')
    return phrase === null ? 'Heard its key phrase' : `Heard “${phrase}”`
  },
  face: (data) => {
    const who = text(data, 'label') ?? (text(data, 'identity') === 'stranger' ? 'a stranger' : 'a face')
    const far = number(data, 'distance_m')
    return join('Sees', who, far !== null && `${plain(far, 'm')} away`)
  },
  face_training: (data) => {
    const said = text(data, 'message') ?? 'Learns a face'
    const level = text(data, 'level')
    return level === 'error' ? bad(said) : level === 'warning' ? odd(said) : said
  },
  motion: (data) => {
    const state = text(data, 'state')
    const said = `Motion ${named(data, 'state') ?? ''}${why(data)}`
    return state === 'failed' ? bad(said) : state === 'blocked' ? odd(said) : said
  },
  navigation: (data) => {
    const state = text(data, 'state') ?? ''
    const place = text(data, 'place')
    const said = join(
      `Drive ${number(data, 'id') ?? ''}`.trim(),
      `(${named(data, 'kind') ?? 'goto'})`,
      DRIVES[state] ?? state,
      place !== null && `(${place})`,
      bool(data, 'stuck') === true && 'and waits for the way to come free',
    )
    if (state === 'failed') return bad(said + why(data))
    return bool(data, 'stuck') === true ? odd(said) : said + why(data)
  },
  task: (data) => {
    const state = text(data, 'state') ?? ''
    const action = named(data, 'action')
    const target = text(data, 'target')
    const said = join(
      `${words(named(data, 'kind') ?? 'task')} ${TASKS[state] ?? state}`,
      action !== null && `(${join(action, target)})`,
    )
    if (state === 'failed' || state === 'unknown') return bad(said + why(data))
    return ['missing_info', 'assistance', 'anomaly'].includes(state)
      ? odd(said + why(data))
      : said + why(data)
  },
  hazard: (data, _, before) => turn('Hazard', 'No hazard any more', hazards(data), before && hazards(before)),
  alerts: (data, _, before) =>
    turn('Alert', 'Nothing is wrong any more', alerts(data), before && alerts(before)),
  link: (data) => {
    const state = text(data, 'state')
    if (state === 'up') return 'Connected'
    return state === 'down' ? bad(`Not connected${why(data)}`) : 'Connecting'
  },
  text: (data) => `${words(text(data, 'channel') ?? 'text')}: ${text(data, 'text') ?? ''}`,
  playback: (data) => `Played ${text(data, 'name') ?? 'a sound'}`,
  sound_focus: () => 'Listens elsewhere',
  other: (data) => `A message of no known kind: ${text(data, 'topic') ?? ''}`,
}

export function summary(update: Pick<Update, 'kind' | 'part' | 'data'>, before?: Data): Summary {
  const data = update.data ?? {}
  const part = update.part === null ? '' : words(update.part)
  const summary = SUMMARIES[update.kind]?.(data, part, before) ?? fields(data)
  return typeof summary === 'string' ? { words: summary, severity: 'info' } : summary
}

/** The fields with values, for kinds without a sentence. */
function fields(data: Data): string {
  const summary = Object.entries(data).filter(([, value]) => value !== null)
  if (summary.length === 0) return 'No further data'
  return summary
    .slice(0, 5)
    .map(([name, value]) => `${name} ${plain(value, null)}`)
    .join(', ')
}
