import { expect, it } from 'vitest'

import type { Cell, Pair, Support } from '../../../api/types'
import { addressOf, fromAddress, groupsOf, inWords, sharesOf, sizeOf, tableOf } from './matrix'

const cell = (name: string, support: Support, is_command = false): Cell => ({ name, is_command, support })
const pair = (family: string, dialect: string, cells: Cell[] = []): Pair => ({
  family,
  dialect,
  absent: '',
  cells,
})

const foreign = pair('axbot', 'misty', [
  cell('FaceTraining', 'absent'),
  cell('IMU', 'exact'),
  { ...cell('BumpSensor', 'derived'), how: 'contact: any contact at that place' },
  cell('stop', 'exact', true),
  cell('lamp', 'absent', true),
])

it('reads the pair from the address', () => {
  expect(fromAddress('axbot/misty')).toEqual({ family: 'axbot', dialect: 'misty' })
  expect(fromAddress(addressOf(foreign).replace('/interpreter/matrix/', ''))).toEqual({
    family: 'axbot',
    dialect: 'misty',
  })
  expect(fromAddress('axbot')).toBeNull()
  expect(fromAddress(undefined)).toBeNull()
})

it('groups messages and commands by support, best first', () => {
  const groups = groupsOf(foreign).map((group) => ({
    support: group.support,
    messages: group.messages.map((it) => it.name),
    commands: group.commands.map((it) => it.name),
    size: sizeOf(group),
  }))
  expect(groups).toEqual([
    { support: 'exact', messages: ['IMU'], commands: ['stop'], size: 2 },
    { support: 'derived', messages: ['BumpSensor'], commands: [], size: 1 },
    { support: 'absent', messages: ['FaceTraining'], commands: ['lamp'], size: 2 },
  ])
})

it('counts the cells of each support, also where there are none', () => {
  expect(inWords(sharesOf(foreign))).toBe('2 exact, 1 derived, 2 absent')
  expect(inWords(sharesOf(pair('axbot', 'pera', [cell('a', 'exact')])))).toBe('1 exact, 0 derived, 0 absent')
  expect(inWords(sharesOf(pair('axbot', 'axbot', [cell('a', 'native')])))).toBe('native')
})

it('has a row a family and a column a dialect, in the order of the gateway', () => {
  const pairs = [pair('misty', 'misty'), pair('misty', 'axbot'), pair('axbot', 'misty')]
  const { rows, dialects } = tableOf(pairs)
  expect(dialects).toEqual(['misty', 'axbot'])
  expect(rows.map((row) => [row.family, [...row.pairs.keys()]])).toEqual([
    ['misty', ['misty', 'axbot']],
    ['axbot', ['misty']],
  ])
  expect(rows[0]?.pairs.get('axbot')).toBe(pairs[1])
})
