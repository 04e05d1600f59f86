// What stands beside robots, people, doors and things: the most important names first.

import type { Shape } from '../../api/types'
import { middleOf, type Scene } from './actors'
import { personReach, reachOf } from './bodies'
import { type Camera, type Point, scaleBar, toScreen } from './camera'
import type { Labels } from './labels'
import { shown } from './options'
import type { Palette } from './palette'
import { tag } from './pen'
import { corners, isSolid } from './standing'

/** Below these scales, points of the screen per metre, only what is chosen has its name written. */
const ROBOTS_FROM = 16
const THINGS_FROM = 42
/** Marks are named last, and only where there is room. */
const ORDER = [
  'place',
  'charger',
  'object',
  'barcode',
  'landmark',
  'drop',
  'light',
  'sound',
  'spawn',
  'frame',
]
/** How far from the middle of its sign a name stands. */
const SIGN = 9
/** The buttons of the view, at the lower right. */
const BUTTONS = [160, 56]

export function drawNames(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  scene: Scene,
  labels: Labels,
  height: number,
): void {
  keepFree(camera, scene, labels, ctx.canvas.width / window.devicePixelRatio, height)
  const bodies = [...scene.bodies].sort(
    (a, b) => Number(b.robot === scene.selected) - Number(a.robot === scene.selected),
  )
  for (const body of bodies) {
    if (body.robot !== scene.selected && !(scene.names && camera.k > ROBOTS_FROM)) continue
    const name = body.stale ? `${body.robot} (no news)` : body.robot
    tag(ctx, colors, labels, toScreen(camera, [body.x, body.y]), name, reachOf(body, camera) + 4, true)
  }
  if (!scene.names) return
  if (scene.people && camera.k > ROBOTS_FROM) {
    for (const { name, x_m, y_m } of scene.now?.people ?? []) {
      if (name) tag(ctx, colors, labels, toScreen(camera, [x_m, y_m]), name, personReach(camera) + 3, true)
    }
  }
  for (const { at, name } of scene.objects) tag(ctx, colors, labels, toScreen(camera, at), name, SIGN)
  if (camera.k < THINGS_FROM) return
  for (const { name, state, polygon_m } of scene.now?.doors ?? []) {
    const at = toScreen(camera, middleOf(polygon_m))
    tag(ctx, colors, labels, at, `${name} door, ${state}`, SIGN)
  }
  const named = scene.shapes.filter((shape) => shown(shape.layer) && nameOf(shape) !== null)
  const standing = named.filter((shape) => isSolid(shape.layer))
  for (const shape of standing) nameInside(ctx, camera, colors, labels, moving(scene, shape), shape)
  // A place in front of furniture often has its name.
  const told = new Set(standing.map((shape) => nameOf(shape)))
  for (const layer of ORDER) {
    for (const shape of named) {
      if (shape.layer !== layer || (layer === 'place' && told.has(nameOf(shape)))) continue
      const at = toScreen(camera, moving(scene, shape))
      tag(ctx, colors, labels, at, nameOf(shape) ?? '', shape.layer === 'drop' ? -6 : SIGN)
    }
  }
}

/** Bodies, the scale and the buttons have no name on them. */
function keepFree(camera: Camera, scene: Scene, labels: Labels, width: number, height: number): void {
  for (const body of scene.bodies) {
    const [x, y] = toScreen(camera, [body.x, body.y])
    const reach = reachOf(body, camera)
    labels.block([x - reach, y - reach, x + reach, y + reach])
  }
  if (scene.people) {
    for (const { x_m, y_m } of scene.now?.people ?? []) {
      const [x, y] = toScreen(camera, [x_m, y_m])
      const reach = personReach(camera) * 0.8
      labels.block([x - reach, y - reach, x + reach, y + reach])
    }
  }
  labels.block([0, height - 36, 24 + scaleBar(camera, 120) * camera.k, height])
  labels.block([width - (BUTTONS[0] ?? 0), height - (BUTTONS[1] ?? 0), width, height])
}

/** What a shape is called; a light or a drop says what it is. */
function nameOf({ layer, name, label }: Shape): string | null {
  if (layer === 'wall' || layer === 'door') return null
  return layer === 'object' ? (name ?? label) : (label ?? name)
}

function moving({ now }: Scene, { layer, name, x_m, y_m }: Shape): Point {
  const thing = now?.things.find((it) => it.layer === layer && it.name === name)
  return thing ? [thing.x_m, thing.y_m] : [x_m, y_m]
}

/** The name of something large stands on it, of something small beside it. */
function nameInside(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  labels: Labels,
  at: Point,
  shape: Shape,
): void {
  const points = corners(shape)
  const high = Math.max(0, ...points.map(([, y]) => Math.abs(y - shape.y_m))) * camera.k
  const wide = Math.max(0, ...points.map(([x]) => Math.abs(x - shape.x_m))) * camera.k
  const large = high > 12 && wide > 22
  tag(ctx, colors, labels, toScreen(camera, at), nameOf(shape) ?? '', large ? -6 : high + 3)
}
