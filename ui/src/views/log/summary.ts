// An event in one sentence: a template for each kind, and the fields themselves for kinds without one.

import type { Data, Update } from '../../api/types'
import { bool, list, number, text, words } from '../../live/read'
import { plain } from '../interpreter/change'

export type Severity = 'info' | 'warning' | 'error'

export interface Summary {
  words: string
  severity: Severity
}

type Teller = (data: Data, part: string) => Summary | string

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
  succeeded: 'arrived',
  failed: 'gave up',
  cancelled: 'was called off',
  idle: 'has no drive',
}

const TASKS: Record<string, string> = {
  confirmed: 'was taken',
  missing_info: 'lacks something',
  unknown: 'cannot be done',
  progress: 'goes on',
  assistance: 'needs a person to choose',
  anomaly: 'met something unexpected',
  succeeded: 'is done',
  failed: 'was given up',
  cancelled: 'was called off',
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
  hazard: (data) => {
    const active = list(data, 'items').filter((item) => item['active'] === true)
    if (active.length === 0) return 'No hazard any more'
    return odd(`Hazard: ${active.map((item) => words(String(item['part'])).toLowerCase()).join(', ')}`)
  },
  alerts: (data) => {
    const active = list(data, 'active')
    if (active.length === 0) return 'Nothing is wrong any more'
    const said = active.map((item) => text(item, 'message') ?? 'unknown').join('; ')
    return active.some((item) => text(item, 'severity') === 'error') ? bad(said) : odd(said)
  },
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

export function summary(update: Pick<Update, 'kind' | 'part' | 'data'>): Summary {
  const data = update.data ?? {}
  const part = update.part === null ? '' : words(update.part)
  const summary = SUMMARIES[update.kind]?.(data, part) ?? fields(data)
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
