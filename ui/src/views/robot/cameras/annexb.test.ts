import { describe, expect, it } from 'vitest'

import { codecOf, isKey, Order, units } from './annexb'

const SET = [0, 0, 0, 1, 0x67, 0x42, 0xc0, 0x1e, 0x8c]
const PICTURE_SET = [0, 0, 0, 1, 0x68, 0xce]
const KEY = [0, 0, 1, 0x65, 0x88, 0x84]
const DELTA = [0, 0, 0, 1, 0x41, 0x9a, 0x02]

describe('units', () => {
  it('are found behind long and short start codes', () => {
    expect(units(new Uint8Array([...SET, ...PICTURE_SET, ...KEY])).map((unit) => unit.type)).toEqual([
      7, 8, 5,
    ])
    expect(units(new Uint8Array(DELTA)).map((unit) => unit.type)).toEqual([1])
    expect(units(new Uint8Array([0, 0, 1]))).toEqual([])
  })

  it('tell the codec', () => {
    expect(codecOf(new Uint8Array([...SET, ...KEY]))).toBe('avc1.42c01e')
    expect(codecOf(new Uint8Array(DELTA))).toBeNull()
  })

  it('tell where decoding can begin', () => {
    expect(isKey(new Uint8Array([...SET, ...PICTURE_SET, ...KEY]))).toBe(true)
    expect(isKey(new Uint8Array(KEY))).toBe(false)
  })
})

describe('the order of frames', () => {
  it('begins with a key frame', () => {
    const order = new Order()
    expect(order.take(4, false)).toBe(false)
    expect(order.take(5, true)).toBe(true)
    expect(order.take(6, false)).toBe(true)
    expect(order.losses).toBe(0)
  })

  it('waits for the next key frame after a loss', () => {
    const order = new Order()
    order.take(1, true)
    expect(order.take(3, false)).toBe(false)
    expect(order.take(4, false)).toBe(false)
    expect(order.take(9, true)).toBe(true)
    expect(order.losses).toBe(1)
  })
})
