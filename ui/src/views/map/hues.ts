// A colour for each robot: its family's, turned a little for each further robot of the family.

import { robots } from '../../live/gateway'
import type { Palette } from './palette'

/** Degrees of hue from one robot of a family to the next, to both sides in turn. */
const STEP = 16
const SIDES = 5

/** A colour `#rrggbb` with its hue turned. */
export function turned(color: string, degrees: number): string {
  const parts = /^#(..)(..)(..)$/.exec(color)
  if (!parts || degrees === 0) return color
  const [r, g, b] = parts.slice(1).map((part) => parseInt(part, 16) / 255) as [number, number, number]
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const range = most - least
  const light = (most + least) / 2
  if (range === 0) return color
  const hue = most === r ? (g - b) / range : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  const saturation = range / (1 - Math.abs(2 * light - 1))
  const share = (value: number) => `${(value * 100).toFixed(1)}%`
  return `hsl(${((hue * 60 + degrees + 720) % 360).toFixed(1)} ${share(saturation)} ${share(light)})`
}

/** 0, 16, -16, 32, -32 degrees, and from the beginning. */
export function turnOf(place: number): number {
  const at = place % SIDES
  return Math.ceil(at / 2) * STEP * (at % 2 === 1 ? 1 : -1)
}

let known: { list: typeof robots.value; palette: Palette; colors: Map<string, string> } | null = null

export function robotColor(palette: Palette, robot: string, family: string): string {
  const list = robots.value
  if (known?.list !== list || known.palette !== palette) {
    const counts = new Map<string, number>()
    const colors = new Map<string, string>()
    for (const it of list) {
      const place = counts.get(it.family) ?? 0
      counts.set(it.family, place + 1)
      colors.set(it.robot, turned(palette.family(it.family), turnOf(place)))
    }
    known = { list, palette, colors }
  }
  return known.colors.get(robot) ?? palette.family(family)
}
