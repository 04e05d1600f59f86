// What moves: robots with trails, scans and plans, people, doors. Drawn anew with every frame.

import type { Shape, WorldNow } from '../../api/types'
import { drawBody, drawPerson } from './bodies'
import { type Camera, type Point, toScreen } from './camera'
import { drawShape } from './ground'
import { drawHands, type Hands } from './handles'
import { robotColor } from './hues'
import { Labels } from './labels'
import { drawNames } from './names'
import type { Palette } from './palette'
import { polygon } from './pen'
import type { Plan } from './plans'
import type { Body } from './scene'
import { moved } from './shift'
import type { Trails } from './trails'

export interface Scene {
  now: WorldNow | null
  bodies: Body[]
  ghosts: Body[]
  trails: Trails | null
  scans: Point[][]
  plans: Plan[]
  objects: { at: Point; name: string }[]
  selected: string | null
  /** What the world is made of. */
  shapes: Shape[]
  names: boolean
  people: boolean
}

const labels = new Labels()

export function drawActors(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  scene: Scene,
  hands: Hands,
  [width, height]: [number, number],
): void {
  labels.begin(width, height)
  if (scene.trails) drawTrails(ctx, camera, colors, scene)
  drawScans(ctx, camera, colors, scene.scans)
  drawPlans(ctx, camera, colors, scene)
  for (const door of scene.now?.doors ?? []) drawDoor(ctx, camera, colors, door)
  drawThings(ctx, camera, colors, scene)
  for (const ghost of scene.ghosts) drawBody(ctx, camera, colors, ghost, 'ghost')
  for (const body of scene.bodies) {
    drawBody(ctx, camera, colors, body, body.robot === scene.selected ? 'chosen' : 'plain')
  }
  if (scene.people) for (const person of scene.now?.people ?? []) drawPerson(ctx, camera, colors, person)
  for (const { at } of scene.objects) mark(ctx, camera, colors, at)
  drawNames(ctx, camera, colors, scene, labels, height)
  drawHands(ctx, camera, colors, scene, hands, width)
}

function drawTrails(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { bodies, trails }: Scene,
): void {
  ctx.lineWidth = 1.5
  ctx.lineJoin = 'round'
  ctx.globalAlpha = 0.45
  for (const body of bodies) {
    const trail = trails?.of(body.robot) ?? []
    if (trail.length < 2) continue
    polygon(ctx, camera, trail, false)
    ctx.strokeStyle = robotColor(colors, body.robot, body.family)
    ctx.stroke()
  }
  ctx.globalAlpha = 1
}

function drawScans(ctx: CanvasRenderingContext2D, camera: Camera, colors: Palette, scans: Point[][]): void {
  ctx.fillStyle = colors.scan
  for (const points of scans) {
    for (const point of points) {
      const [x, y] = toScreen(camera, point)
      ctx.fillRect(x - 1, y - 1, 2, 2)
    }
  }
}

/** A plan has its robot's colour and ends where the robot wants to be. */
function drawPlans(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { plans, bodies }: Scene,
): void {
  ctx.lineJoin = 'round'
  for (const { robot, points, local } of plans) {
    const family = bodies.find((it) => it.robot === robot)?.family ?? ''
    polygon(ctx, camera, points, false)
    ctx.strokeStyle = robotColor(colors, robot, family)
    ctx.lineWidth = local ? 4 : 2.5
    ctx.setLineDash(local ? [] : [8, 5])
    ctx.stroke()
    ctx.setLineDash([])
    const end = points.at(-1)
    if (local || !end) continue
    const [x, y] = toScreen(camera, end)
    ctx.beginPath()
    ctx.arc(x, y, 6, 0, 2 * Math.PI)
    ctx.fillStyle = colors.floor
    ctx.fill()
    ctx.stroke()
    ctx.beginPath()
    ctx.arc(x, y, 2, 0, 2 * Math.PI)
    ctx.fillStyle = ctx.strokeStyle
    ctx.fill()
  }
}

/** A door with its knob, which says that it can be clicked. */
function drawDoor(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { state, polygon_m }: WorldNow['doors'][number],
): void {
  if (polygon_m.length < 2) return
  polygon(ctx, camera, polygon_m)
  ctx.fillStyle = state === 'open' ? colors.good : state === 'closed' ? colors.bad : colors.warn
  ctx.globalAlpha = state === 'open' ? 0.5 : 0.9
  ctx.fill()
  ctx.globalAlpha = 1
  const [x, y] = toScreen(camera, middleOf(polygon_m))
  ctx.beginPath()
  ctx.arc(x, y, 5, 0, 2 * Math.PI)
  ctx.lineWidth = 2
  ctx.strokeStyle = ctx.fillStyle
  ctx.fillStyle = colors.floor
  ctx.fill()
  ctx.stroke()
}

export const middleOf = (points: Point[]): Point => [
  points.reduce((sum, [x]) => sum + x, 0) / points.length,
  points.reduce((sum, [, y]) => sum + y, 0) / points.length,
]

function drawThings(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { now, shapes }: Scene,
): void {
  for (const thing of now?.things ?? []) {
    const shape = shapes.find((it) => it.layer === thing.layer && it.name === thing.name)
    if (shape) drawShape(ctx, camera, colors, moved(shape, [thing.x_m, thing.y_m], thing.yaw_rad))
  }
}

function mark(ctx: CanvasRenderingContext2D, camera: Camera, colors: Palette, at: Point): void {
  const [x, y] = toScreen(camera, at)
  ctx.strokeStyle = colors.warn
  ctx.lineWidth = 1.5
  ctx.strokeRect(x - 6, y - 6, 12, 12)
}
