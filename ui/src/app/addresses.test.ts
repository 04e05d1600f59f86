import { expect, it } from 'vitest'

import { isView, titleOf } from './addresses'

it('knows views by their addresses', () => {
  for (const view of ['/', '/map', '/interpreter', '/interpreter/a/range/left', '/robot/a', '/map?x=1'])
    expect(isView(view), view).toBe(true)
  for (const none of ['/docs/api', '/robots', '/robot', '/robot/a/b', '/api/v1/robots'])
    expect(isView(none), none).toBe(false)
})

it('calls the page by what is looked at', () => {
  expect(titleOf('/')).toBe('Overview · Latimer')
  expect(titleOf('/log')).toBe('Log · Latimer')
  expect(titleOf('/robot/misty-1')).toBe('misty-1 · Latimer')
  expect(titleOf('/interpreter')).toBe('Interpreter · Latimer')
  expect(titleOf('/interpreter/a%20b/imu')).toBe('a b/imu · Interpreter · Latimer')
  expect(titleOf('/interpreter/matrix')).toBe('Matrix · Latimer')
  expect(titleOf('/interpreter/matrix/axbot/misty')).toBe('axbot/misty · Matrix · Latimer')
  expect(titleOf('/interpreter/matrix-1/imu')).toBe('matrix-1/imu · Interpreter · Latimer')
  expect(titleOf('/nowhere')).toBe('Not found · Latimer')
})
