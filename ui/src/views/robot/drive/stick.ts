// From where the stick or the keys are to speeds.

export interface Stick {
  /** To the right, -1..1. */
  x: number
  /** Ahead, -1..1. */
  y: number
}

export interface Speeds {
  linear_mps: number
  angular_radps: number
}

export const CENTRE: Stick = { x: 0, y: 0 }

/** Nearer to the middle than this is the middle. */
const DEAD = 0.08

/** A point of the pad, in pixels from its middle with y down, as a stick that stays within its circle. */
export function stickAt(dx: number, dy: number, radius: number): Stick {
  const length = Math.hypot(dx, dy) / radius
  if (length < DEAD) return CENTRE
  const shorten = Math.max(1, length) * radius
  return { x: dx / shorten, y: -dy / shorten }
}

const KEYS: Record<string, Stick> = {
  w: { x: 0, y: 1 },
  arrowup: { x: 0, y: 1 },
  s: { x: 0, y: -1 },
  arrowdown: { x: 0, y: -1 },
  a: { x: -1, y: 0 },
  arrowleft: { x: -1, y: 0 },
  d: { x: 1, y: 0 },
  arrowright: { x: 1, y: 0 },
}

const MODIFIERS = ['Control', 'Alt', 'AltGraph', 'Meta', 'OS']

/** Whether a modifier is pressed or held. */
export const isModified = (event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>) =>
  event.ctrlKey || event.altKey || event.metaKey || MODIFIERS.includes(event.key)

export const isDriveKey = (key: string) => key.toLowerCase() in KEYS

/** The keys that are down as a stick. */
export function stickOfKeys(down: Iterable<string>): Stick {
  let x = 0
  let y = 0
  for (const key of down) {
    const push = KEYS[key.toLowerCase()]
    x += push?.x ?? 0
    y += push?.y ?? 0
  }
  return { x: Math.sign(x), y: Math.sign(y) }
}

/** Speeds for a stick; to the right is clockwise. */
export function speedsOf(
  stick: Stick,
  limit: number,
  max_linear_mps: number,
  max_angular_radps: number,
): Speeds {
  const round = (value: number) => (value === 0 ? 0 : Math.round(value * 1000) / 1000)
  return {
    linear_mps: round(stick.y * limit * max_linear_mps),
    angular_radps: round(-stick.x * limit * max_angular_radps),
  }
}

export const isStill = (speeds: Speeds) => speeds.linear_mps === 0 && speeds.angular_radps === 0
