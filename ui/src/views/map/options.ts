// What the map shows and whom it follows; kept for as long as the page is open.

import { signal } from '@preact/signals'

export interface Options {
  names: boolean
  trails: boolean
  people: boolean
  paths: boolean
  scans: 'none' | 'selected' | 'all'
  objects: boolean
  ghosts: boolean
  marks: boolean
  places: boolean
  more: boolean
  ownMap: boolean
}

export const options = signal<Options>({
  names: true,
  trails: true,
  people: true,
  paths: true,
  scans: 'selected',
  objects: false,
  ghosts: false,
  marks: true,
  places: true,
  more: false,
  ownMap: false,
})

export const selected = signal<string | null>(null)
export const follow = signal(false)
export type Placing = { what: 'person'; name: string } | { what: 'box' } | null
/** What is put where the map is clicked next. */
export const placing = signal<Placing>(null)
/** A thing that was put there by hand, chosen by its name. */
export const chosenThing = signal<string | null>(null)
/** Frames drawn in the last second. */
export const fps = signal(0)

export const set = (change: Partial<Options>) => (options.value = { ...options.value, ...change })

const MARKS = new Set(['barcode', 'landmark'])
const MORE = new Set(['spawn', 'frame', 'light', 'sound'])

/** Whether a layer of the world is shown. */
export function shown(layer: string): boolean {
  if (MARKS.has(layer)) return options.value.marks
  if (layer === 'place') return options.value.places
  if (MORE.has(layer)) return options.value.more
  return true
}
