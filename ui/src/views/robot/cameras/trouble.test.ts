import { expect, it } from 'vitest'

import { after, insteadOf, isSilent, type Look, trouble } from './trouble'

const fine: Look = {
  link: 'up',
  gatewayLost: false,
  paused: false,
  cannot: null,
  waiting: null,
  ever: true,
  silent_ms: 100,
}

it('says why no picture comes, what is farthest away first', () => {
  const waiting = { ...fine, ever: false, waiting: 'Waiting for a key frame…' }
  const said: [Look, string | null][] = [
    [fine, null],
    [waiting, 'Waiting for a key frame…'],
    [{ ...waiting, silent_ms: 7_000 }, 'No picture comes'],
    [{ ...waiting, silent_ms: 7_000, link: 'down' }, 'Disconnected'],
    [{ ...waiting, silent_ms: 7_000, gatewayLost: true }, 'Gateway lost'],
    [{ ...fine, silent_ms: 7_000, paused: true }, 'World paused'],
    [{ ...fine, silent_ms: 7_000 }, 'No new picture comes'],
    [{ ...fine, silent_ms: 5_000 }, 'No new picture'],
  ]
  expect(said.map(([look]) => trouble(look))).toEqual(said.map(([, words]) => words))
})

it('tries something else only where pictures should come', () => {
  expect(isSilent({ ...fine, silent_ms: 7_000 })).toBe(true)
  expect(isSilent({ ...fine, cannot: 'no decoder' })).toBe(true)
  expect(isSilent({ ...fine, silent_ms: 7_000, link: 'down' })).toBe(false)
})

it('knows what to try', () => {
  const forms = ['video', 'compressed_image', 'image']
  expect(after(forms, 'image')).toBe('video')
  expect(after(['image'], 'image')).toBeNull()
  expect([insteadOf(forms, 'video'), insteadOf(forms, 'image'), insteadOf(['video'], 'video')]).toEqual([
    'compressed_image',
    null,
    null,
  ])
})
