// The colours of style/tokens.css for canvases, which know no custom properties.

import { theme } from '../../app/theme'
import { families } from '../../live/gateway'

export interface Palette {
  floor: string
  grid: string
  wall: string
  thing: string
  scan: string
  path: string
  person: string
  ink: string
  muted: string
  panel: string
  accent: string
  warn: string
  bad: string
  good: string
  /** A lamp's light on the floor. */
  light: string
  font: string
  /** How strongly the world's own colours are shown. */
  solid: number
  family: (name: string) => string
}

let cached: { theme: string; families: string; palette: Palette } | null = null

export function palette(): Palette {
  const names = families.value
  const key = names.join()
  if (cached?.theme === theme.value && cached.families === key) return cached.palette
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
  const made: Palette = {
    floor: read('--map-floor'),
    grid: read('--map-grid'),
    wall: read('--map-wall'),
    thing: read('--map-thing'),
    scan: read('--map-scan'),
    path: read('--map-path'),
    person: read('--map-person'),
    ink: read('--ink'),
    muted: read('--ink-3'),
    panel: read('--panel'),
    accent: read('--accent'),
    warn: read('--warn'),
    bad: read('--bad'),
    good: read('--good'),
    light: read('--map-light'),
    font: read('--font'),
    solid: Number(read('--map-solid')),
    family: (name) => {
      const at = names.indexOf(name)
      return read(`--cat-${(at < 0 ? 7 : at) % 8}`)
    },
  }
  // A look-up of a custom property costs more than a robot's drawing.
  const byName = new Map<string, string>()
  const family = made.family
  made.family = (name) => {
    const known = byName.get(name) ?? family(name)
    byName.set(name, known)
    return known
  }
  cached = { theme: theme.value, families: key, palette: made }
  return made
}
