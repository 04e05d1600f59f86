import { expect, test } from 'vitest'

import type { Robot } from '../../api/types'
import type { Data } from '../../live/read'
import { alerts, condition, task } from './condition'

const robot = (state: 'up' | 'down'): Robot => ({
  robot: 'r',
  family: 'f',
  origin: 'simulated',
  address: null,
  link: {
    state,
    since: '',
    reconnects: 0,
    skew_min_s: null,
    skew_max_s: null,
    reason: state === 'down' ? 'refused' : null,
  },
  driver: null,
  driven: false,
  emergency_stop: null,
  unstopped: null,
  motion: null,
  received: 0,
  refused: 0,
  unknown: 0,
  endpoints: [],
})

const saying = (records: Record<string, Data>) => (kind: string, part?: string) =>
  records[part === undefined ? kind : `${kind}/${part}`]

test('the worst comes first', () => {
  const all = {
    control: { emergency_stop: true },
    navigation: { state: 'moving', kind: 'goto', stuck: false },
    battery: { state: 'charging' },
  }
  expect(condition(robot('down'), saying(all))).toEqual({
    tone: 'bad',
    word: 'Disconnected',
    more: 'refused',
  })
  expect(condition(robot('up'), saying(all)).word).toBe('Emergency stop')
})

test('a stop that nothing shows to be obeyed comes before that it was pressed', () => {
  const since = new Date(Date.now() - 12_000).toISOString()
  const owes = { ...robot('up'), unstopped: { since, message: 'it does not confirm that it stands' } }
  const pressed = saying({ control: { emergency_stop: true } })
  const { tone, word, short, more } = condition(owes, pressed)
  expect([tone, word, short]).toEqual(['bad', 'May move', undefined])
  expect(condition(robot('up'), pressed).short).toBe('Stopped')
  expect(more).toMatch(/^for 1\d s it does not confirm that it stands$/)
})

test('an error is no readiness, a world that waits moves nobody', () => {
  const outside = { 'alerts/gateway': { active: [{ message: 'it is outside', severity: 'error' }] } }
  expect(condition(robot('up'), saying(outside)).more).toBe('it is outside')
  const fallen = { alerts: { active: [{ message: 'fell', severity: 'error' }] } }
  expect(condition(robot('up'), saying(fallen))).toEqual({ tone: 'bad', word: 'Error', more: 'fell' })
  const moving = { 'velocity/measured': { linear_mps: 1 } }
  expect(condition(robot('up'), saying(moving), 'paused').word).toBe('Paused')
  expect(condition(robot('up'), saying(moving), 'lost').word).toBe('Not known')
})

test('a drive tells where to and how far', () => {
  const navigation = { state: 'moving', kind: 'goto', place: 'kitchen', remaining_m: 3.21, stuck: false }
  expect(condition(robot('up'), saying({ navigation }))).toEqual({
    tone: 'busy',
    word: 'Goto',
    more: 'to kitchen, 3.2 m left',
  })
  expect(condition(robot('up'), saying({ navigation: { ...navigation, stuck: true } })).tone).toBe('warn')
})

test('who says nothing is ready, who turns on the spot moves', () => {
  expect(condition(robot('up'), saying({})).word).toBe('Ready')
  const spin = { 'velocity/measured': { linear_mps: 0, angular_radps: -0.5 } }
  expect(condition(robot('up'), saying(spin)).word).toBe('Moving')
})

test('what is missing behind a connection is no readiness', () => {
  const up = robot('up')
  const missing = { ...up, link: { ...up.link, reason: 'nobody publishes /odom' } }
  const shown = condition(missing, saying({ battery: { state: 'full' } }))
  expect(shown).toEqual({ tone: 'warn', word: 'Incomplete', more: 'nobody publishes /odom' })
})

test('errors stand before warnings', () => {
  const active = [
    { message: 'low', severity: 'warning' },
    { message: 'broken', severity: 'error' },
  ]
  expect(alerts(saying({ alerts: { active } })).map((it) => it.message)).toEqual(['broken', 'low'])
})

test('a task is shown by what it does now', () => {
  const bring = { kind: 'bring', state: 'progress', action: 'way_blocked', target: 'Kitchen' }
  expect(task(bring)).toBe('Bring: Kitchen, way blocked')
  expect(task({ ...bring, state: 'succeeded', target: null })).toBe('Bring, succeeded')
  expect(task(undefined)).toBeNull()
})
