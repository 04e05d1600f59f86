import { describe, expect, it } from 'vitest'

import type { GapFrame, Update } from '../../api/types'
import type { Data } from '../../live/read'
import { Book, wants } from './book'
import { summary } from './summary'

let sequence = 0
const update = (kind: string, data: Data, rest: Partial<Update> = {}): Update => ({
  type: 'update',
  key: `r/${kind}`,
  robot: 'r',
  kind,
  part: null,
  class: 'event',
  sequence: (sequence += 1),
  stamp: { at: '2026-01-01T00:00:00Z', clock: 'robot' },
  received: `2026-01-01T00:00:00.${String(sequence).padStart(3, '0')}Z`,
  data,
  ...rest,
})

const gap: GapFrame = {
  type: 'gap',
  robot: 'r',
  kind: null,
  lost: 3,
  reason: 'queue_full',
  detail: 'the reader is slow',
  from: '2026-01-01T00:00:00Z',
  to: '2026-01-01T00:00:01Z',
}

describe('sentences', () => {
  it('tells what happened and how bad it is', () => {
    expect(
      summary({ kind: 'contact', part: 'bump_left', data: { contacted: true, sensor: 'bumper' } }),
    ).toEqual({
      words: 'Bump left was pressed',
      severity: 'info',
    })
    const failed = summary({
      kind: 'navigation',
      part: null,
      data: { id: 4, kind: 'goto', state: 'failed', reason: 'no way' },
    })
    expect(failed).toEqual({ words: 'Drive 4 (goto) failed: no way', severity: 'error' })
    const hazard = { items: [{ source: 'bumper', part: 'bump_left', active: true }] }
    expect(summary({ kind: 'hazard', part: null, data: hazard }).severity).toBe('warning')
  })

  it('falls back to the fields', () => {
    expect(summary({ kind: 'brand_new', part: null, data: { level: 3, name: null } }).words).toBe('level 3')
    expect(summary({ kind: 'brand_new', part: null }).words).toBe('No further data')
  })
})

describe('the bounded log', () => {
  it('lets the oldest go', () => {
    const book = new Book(3)
    for (let i = 0; i < 5; i += 1) book.take(update('text', { text: String(i) }))
    expect(book.read().map((it) => it.words)).toEqual(['Text: 2', 'Text: 3', 'Text: 4'])
    expect(book.dropped).toBe(2)
  })

  it('takes each event once and puts late ones in their place', () => {
    const book = new Book(10)
    const [one, two] = [update('text', { text: 'one' }), update('text', { text: 'two' })]
    expect([book.take(two), book.take(one), book.take(two)]).toEqual([true, true, false])
    expect(book.read().map((it) => it.words)).toEqual(['Text: one', 'Text: two'])
  })

  it('tells states only when they change', () => {
    const book = new Book(10)
    const alerts = (active: Data[]) => update('alerts', { active }, { class: 'state' })
    book.take(alerts([]))
    book.take(alerts([]))
    book.take(alerts([{ severity: 'error', message: 'stop' }]))
    book.take(alerts([]))
    expect(book.read().map((it) => it.words)).toEqual(['Alert: stop', 'Alert over: stop'])
  })

  it('tells of a hazard when it begins and when it ends', () => {
    const book = new Book(10)
    const hazard = (...active: boolean[]) =>
      update('hazard', {
        items: active.map((active, at) => ({ source: 'bumper', part: `front_${at}`, active })),
      })
    for (const it of [hazard(false), hazard(), hazard(true), hazard(true), hazard(false), hazard()])
      book.take(it)
    expect(book.read().map((it) => it.words)).toEqual(['Hazard: front 0', 'Hazard over: front 0'])
    expect([book.take(hazard(false), true), book.take(hazard(), true)]).toEqual([true, false])
  })

  it('tells of a drive when it begins and when it ends, not how far it has come', () => {
    const book = new Book(10)
    const drive = (state: string, remaining_m: number) =>
      update('navigation', { id: 3, kind: 'goto', state, remaining_m })
    for (const it of [drive('idle', 0), drive('moving', 2), drive('moving', 1), drive('succeeded', 0)])
      book.take(it)
    expect(book.read().map((it) => it.words)).toEqual([
      'Drive 3 (goto) is on the way',
      'Drive 3 (goto) succeeded',
    ])
  })

  it('tells which alert began and which ended while others last', () => {
    const book = new Book(10)
    const alerts = (...messages: string[]) =>
      update(
        'alerts',
        { active: messages.map((message) => ({ severity: 'error', message })) },
        { class: 'state' },
      )
    for (const it of [alerts(), alerts('hot'), alerts('hot', 'stuck'), alerts('stuck'), alerts('low')])
      book.take(it)
    expect(book.read().map((it) => [it.words, it.severity])).toEqual([
      ['Alert: hot', 'error'],
      ['Alert: stuck', 'error'],
      ['Alert over: hot', 'info'],
      ['Alert: low (alert over: stuck)', 'error'],
    ])
  })

  it('tells once that a robot cannot be reached', () => {
    const book = new Book(10)
    const link = (state: string, since: number) =>
      update('link', { state, since, reason: null }, { class: 'state' })
    for (const state of ['down', 'connecting', 'down', 'connecting']) book.take(link(state, 1))
    book.take(link('up', 2))
    book.take(link('down', 3))
    expect(book.read().map((it) => it.words)).toEqual(['Not connected', 'Connected', 'Not connected'])
  })

  it('believes the records that a state changed', () => {
    const book = new Book(10)
    const link = update('link', { state: 'up' }, { class: 'state' })
    expect([book.take(link), book.take(link, true), book.take(link, true)]).toEqual([false, true, false])
  })

  it('takes what a gateway says that counts anew', () => {
    const book = new Book(10)
    const before = update('text', { text: 'before' })
    const after = { ...before, received: '2026-01-02T00:00:00Z', data: { text: 'after' } }
    expect([book.take(before), book.take(after), book.take(after, true)]).toEqual([true, true, false])
    expect(book.read().map((it) => it.words)).toEqual(['Text: before', 'Text: after'])
  })

  it('reads the records again without telling them twice', () => {
    const book = new Book(10)
    const link = (since: number) => update('link', { state: 'up', since }, { class: 'state' })
    const event = update('text', { text: 'a' })
    const records = [link(1), link(1), event, link(2)]
    const read = () => records.filter((it) => book.take(it, true)).length
    expect([read(), read()]).toEqual([3, 0])
    records.push(link(2), update('text', { text: 'b' }), link(3))
    expect(read()).toBe(2)
  })

  it('does not take back what it let go', () => {
    const book = new Book(2)
    const all = ['a', 'b', 'c'].map((text) => update('text', { text }))
    for (const it of all) book.take(it)
    expect(all.filter((it) => book.take(it, true))).toEqual([])
    expect(book.dropped).toBe(1)
  })

  it('counts what comes while it is held', () => {
    const book = new Book(10)
    book.take(update('text', { text: 'a' }))
    book.hold(true)
    book.take(update('text', { text: 'b' }))
    book.gap(gap)
    expect([book.read().length, book.fresh]).toEqual([1, 2])
    book.hold(false)
    expect(book.read().at(-1)?.words).toBe('3 events were lost: the reader is slow')
    expect(book.fresh).toBe(0)
  })

  it('filters by words, robot, kind and severity', () => {
    const book = new Book(10)
    book.gap(gap)
    const [entry] = book.read()
    const all = { search: '', robot: '', kind: '', severity: '' }
    if (!entry) throw new Error('no line')
    expect(wants(entry, all)).toBe(true)
    expect(wants(entry, { ...all, search: 'slow LOST' })).toBe(true)
    expect(wants(entry, { ...all, severity: 'error' })).toBe(false)
    expect(wants(entry, { ...all, robot: 'other' })).toBe(false)
  })
})
