// Where names stand on the map: the most important first, each on no other, or not at all.

import type { Point } from './camera'

export type Box = [left: number, top: number, right: number, bottom: number]

const HEIGHT = 13
const GAP = 3

const overlaps = (a: Box, b: Box) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1]

export class Labels {
  private taken: Box[] = []
  private area: Box = [-Infinity, -Infinity, Infinity, Infinity]
  /** Where each name stood last, so that it does not jump between two free places. */
  private readonly sides = new Map<string, number>()

  /** Begins a drawing of a size. */
  begin(width: number, height: number): void {
    this.taken = []
    this.area = [0, 0, width, height]
  }

  /** Keeps a place free of names. */
  block(box: Box): void {
    this.taken.push(box)
  }

  /** The middle of the text's top for a name beside a place, `reach` away from it; `null` if there is no room. */
  place(name: string, [x, y]: Point, reach: number, width: number): Point | null {
    const half = width / 2 + 1
    const beside = reach + half + GAP
    const middles: Point[] = [
      [x, y + reach],
      [x, y - reach - HEIGHT],
      [x + beside, y - HEIGHT / 2],
      [x - beside, y - HEIGHT / 2],
      [x + beside * 0.8, y + reach * 0.8],
      [x - beside * 0.8, y + reach * 0.8],
      [x + beside * 0.8, y - reach * 0.8 - HEIGHT],
      [x - beside * 0.8, y - reach * 0.8 - HEIGHT],
    ]
    const last = this.sides.get(name) ?? 0
    for (const side of [last, ...middles.keys()]) {
      const [cx, top] = middles[side] as Point
      const box: Box = [cx - half, top, cx + half, top + HEIGHT]
      if (!this.inside(box) || this.taken.some((it) => overlaps(it, box))) continue
      this.taken.push(box)
      this.sides.set(name, side)
      return [cx, top]
    }
    return null
  }

  private inside([left, top, right, bottom]: Box): boolean {
    const [x0, y0, x1, y1] = this.area
    return left >= x0 && top >= y0 && right <= x1 && bottom <= y1
  }
}
