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
/** The frame of the tree that is drawn; each robot's own map, one upon the other, if none is chosen. */
export const frame = signal<string | null>(null)
/** Whether the choice of layers is beside the map; the room is all that is wanted at first. */
export const layersOpen = signal(false)
export type Placing = { what: 'person'; name: string } | { what: 'box' } | { what: 'object' } | null
/** What is put where the map is clicked next. */
export const placing = signal<Placing>(null)
/** A thing that can be moved by hand: a layer has no two of one name. */
export interface Thing {
  layer: 'obstacle' | 'object'
  name: string
}
/** The thing that was clicked. */
export const chosenThing = signal<Thing | null>(null)
/** Whether the room is drawn in 3-D. */
export const solid = signal(false)
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
