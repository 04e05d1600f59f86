import { expect, it } from 'vitest'

import { came, choiceWords, choose, retried, standIn } from './choice'

it('tries video again after pictures stood in for it, with longer and longer pauses', () => {
  let choice = choose('video')
  const pauses: number[] = []
  for (let now = 0, i = 0; i < 5; i += 1) {
    choice = standIn(choice, 'compressed_image', now, false)
    expect(choice.form).toBe('compressed_image')
    const at = choice.again_at ?? NaN
    pauses.push(at - now)
    expect(retried(choice, at - 1)).toBe(choice)
    choice = retried(choice, at)
    expect([choice.form, choice.again_at]).toEqual(['video', null])
    now = at
  }
  expect(pauses).toEqual([20_000, 40_000, 80_000, 120_000, 120_000])
  // Once it comes all is as in the beginning.
  expect(came(choice)).toEqual(choose('video'))
})

it('does not try what the browser cannot show', () => {
  const choice = standIn(choose('video'), 'compressed_image', 0, true)
  expect(retried(choice, 1e9)).toBe(choice)
  expect(choiceWords(choice, 0)).toBe('This browser cannot show video: pictures instead.')
})

it('says how it stands', () => {
  const choice = standIn(choose('video'), 'compressed_image', 0, false)
  expect(choiceWords(choose('video'), 0)).toBeNull()
  expect(choiceWords(choice, 7_500)).toBe('No video came: pictures instead. Tried again in 13 s.')
  expect(came(choice)).toBe(choice)
  expect(choiceWords(retried(choice, 20_000), 20_000)).toBe('Trying video again…')
})
