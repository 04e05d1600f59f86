// What a hand can do, where the pointer is: handles and a few words; what is carried, and where it will stand.

import type { Shape } from '../../api/types'
import { world } from '../../live/world'
import type { Scene } from './actors'
import { drawBody, drawPerson, reachOf } from './bodies'
import { type Camera, placed, type Point, toScreen, toWorld } from './camera'
import { drawShape } from './ground'
import { lying } from './objects'
import { placing } from './options'
import type { Palette } from './palette'
import { bubble, polygon } from './pen'
import type { Hit } from './pick'
import type { Body } from './scene'
import { moved } from './shift'
import { corners, isFree } from './standing'

export interface Dragged {
  hit: Hit
  from: Point
  at: Point
}

export interface Hands {
  /** Where the pointer is on the screen, if it is a mouse's. */
  pointer: Point | null
  /** What is under it. */
  hover: Hit | null
  canDrag: (hit: Hit) => boolean
  dragged: Dragged | null
}

/** The side of a box that is put on the floor, metres. */
export const BOX_M = 0.4
const PERSON_M = 0.2
/** What moves is lighter where it comes from. */
const CARRIED = 0.75

export function drawHands(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  scene: Scene,
  hands: Hands,
  width: number,
): void {
  if (hands.dragged) drawDragged(ctx, camera, colors, scene, hands.dragged, width)
  else if (placing.value && hands.pointer) drawPlacing(ctx, camera, colors, hands.pointer, width)
  else if (hands.hover) drawHover(ctx, camera, colors, scene, hands, hands.hover, width)
}

/** What can be done with something, in a few words. */
export function hint(hit: Hit, drags: boolean): string | null {
  switch (hit.what) {
    case 'robot':
      return `${hit.body.robot}: ${drags ? 'drag it elsewhere, click to choose it' : 'click to choose it'}`
    case 'person':
      return drags ? `${hit.name}: drag to another place` : null
    case 'door':
      return `Door: click to ${hit.state === 'open' || hit.state === 'opening' ? 'shut' : 'open'} it`
    case 'shape':
      return drags ? `${hit.shape.name ?? hit.shape.layer}: drag it elsewhere, click to take it away` : null
  }
}

function drawHover(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { bodies, now }: Scene,
  { canDrag, pointer }: Hands,
  hit: Hit,
  width: number,
): void {
  const drags = canDrag(hit)
  const words = hint(hit, drags)
  if (!words || !pointer) return
  let at = pointer
  let reach = 12
  if (hit.what === 'robot') {
    const body = bodies.find((it) => it.robot === hit.body.robot) ?? hit.body
    at = toScreen(camera, [body.x, body.y])
    reach = reachOf(body, camera) + 6
  } else if (hit.what === 'person') {
    const person = now?.people.find((it) => it.name === hit.name)
    if (person) at = toScreen(camera, [person.x_m, person.y_m])
    reach = Math.max(0.3 * camera.k, 10)
  } else if (hit.what === 'shape') {
    at = toScreen(camera, [hit.shape.x_m, hit.shape.y_m])
    reach = Math.max(12, ...corners(hit.shape).map(([x, y]) => camera.k * away(hit.shape, x, y))) + 5
  }
  if (drags) arrows(ctx, colors, at, reach)
  bubble(ctx, colors, [at[0], at[1] - reach - 8], words, width)
}

const away = ({ x_m, y_m }: Shape, x: number, y: number) => Math.hypot(x - x_m, y - y_m)

/** A ring with four arrows: this can be moved. */
function arrows(ctx: CanvasRenderingContext2D, colors: Palette, [x, y]: Point, reach: number): void {
  ctx.strokeStyle = ctx.fillStyle = colors.accent
  ctx.lineWidth = 1.5
  ctx.setLineDash([4, 4])
  ctx.beginPath()
  ctx.arc(x, y, reach, 0, 2 * Math.PI)
  ctx.stroke()
  ctx.setLineDash([])
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as Point[]) {
    const [tipX, tipY] = [x + dx * (reach + 8), y + dy * (reach + 8)]
    ctx.beginPath()
    ctx.moveTo(tipX, tipY)
    ctx.lineTo(tipX - dx * 6 - dy * 5, tipY - dy * 6 - dx * 5)
    ctx.lineTo(tipX - dx * 6 + dy * 5, tipY - dy * 6 + dx * 5)
    ctx.fill()
  }
}

function drawDragged(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { shapes }: Scene,
  { hit, from, at }: Dragged,
  width: number,
): void {
  ctx.globalAlpha = CARRIED
  let place = at
  let outline: Point[] = []
  let words: string | null = null
  if (hit.what === 'robot') {
    const body: Body = { ...hit.body, x: at[0], y: at[1] }
    drawBody(ctx, camera, colors, body, 'plain')
    outline = placed(body.outline, ...at, body.yaw)
  } else if (hit.what === 'person') {
    drawPerson(ctx, camera, colors, { x_m: at[0], y_m: at[1], yaw_rad: 0 })
    outline = round(at, PERSON_M)
  } else if (hit.what === 'shape') {
    const target = hit.shape.layer === 'object' ? lying(shapes, at) : null
    if (target && 'place' in target) {
      const found = shapes.find((it) => it.layer === 'place' && it.name === target.place)
      if (found) place = [found.x_m, found.y_m]
      words = `at ${target.place}`
    }
    const shape = moved(hit.shape, place)
    drawShape(ctx, camera, colors, shape)
    // A small thing may lie on furniture.
    outline = hit.shape.layer === 'object' ? [] : corners(shape)
  }
  ctx.globalAlpha = 1
  const free = isThere(outline, hit.what === 'shape' ? hit.shape : undefined)
  trace(ctx, camera, colors, from, place, outline, free)
  const [x, y] = toScreen(camera, place)
  const where = words ?? `x ${place[0].toFixed(1)} m, y ${place[1].toFixed(1)} m`
  bubble(ctx, colors, [x, y - 30], free ? where : `${where}: not free`, width)
}

/** What is put where the floor is clicked next, under the pointer. */
function drawPlacing(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  pointer: Point,
  width: number,
): void {
  const what = placing.value
  if (!what) return
  const at = toWorld(camera, pointer)
  const half = BOX_M / 2
  const outline =
    what.what === 'person' ? round(at, PERSON_M) : what.what === 'box' ? square(at, half) : round(at, 0.05)
  const free = what.what === 'object' || isThere(outline)
  trace(ctx, camera, colors, null, at, outline, free)
  const name = what.what === 'person' ? what.name : what.what === 'box' ? 'The box' : 'The object'
  bubble(ctx, colors, [pointer[0], pointer[1] - 30], free ? `${name} will stand here` : 'Not free', width)
}

function trace(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  from: Point | null,
  at: Point,
  outline: Point[],
  free: boolean,
): void {
  ctx.strokeStyle = free ? colors.accent : colors.bad
  ctx.lineWidth = 2
  if (from) {
    ctx.setLineDash([2, 4])
    polygon(ctx, camera, [from, at], false)
    ctx.stroke()
  }
  ctx.setLineDash([5, 3])
  polygon(ctx, camera, outline)
  ctx.stroke()
  ctx.setLineDash([])
}

const isThere = (outline: Point[], itself?: Shape) =>
  world.value === null || isFree(outline, world.value, itself)

const round = ([x_m, y_m]: Point, radius_m: number): Point[] =>
  corners({ polygon_m: null, circle: { x_m, y_m, radius_m } })

const square = ([x, y]: Point, half: number): Point[] => [
  [x - half, y - half],
  [x + half, y - half],
  [x + half, y + half],
  [x - half, y + half],
]
