// The field that is pointed at, in all columns at once.

import { signal } from '@preact/signals'

import { type Bond, meets } from './pairing'

export const lit = signal<Bond | null>(null)

export const isLit = (bonds: Bond[]) => {
  const now = lit.value
  return now !== null && bonds.some((bond) => meets(bond, now))
}

/** What makes an element light up its partners, by pointer and by focus. */
export function lighting(bonds: Bond[]) {
  const bond = bonds[0]
  if (!bond) return {}
  const on = () => (lit.value = bond)
  const off = () => (lit.value = null)
  return { onPointerEnter: on, onPointerLeave: off, onFocusCapture: on, onBlurCapture: off }
}
