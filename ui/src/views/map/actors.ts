// What moves: robots with trails, scans and ways, people, doors. Drawn anew with every frame.

import type { Shape, WorldNow } from '../../api/types'
import { type Camera, type Point, placed, toScreen } from './camera'
import { drawShape } from './ground'
import type { Palette } from './palette'
import { beginNames, polygon, tag } from './pen'
import type { Body } from './scene'
import type { Trails } from './trails'

export interface Scene {
  now: WorldNow | null
  bodies: Body[]
  ghosts: Body[]
  trails: Trails | null
  scans: Point[][]
  paths: { points: Point[]; local: boolean }[]
  objects: { at: Point; name: string }[]
  selected: string | null
  /** What the world is made of. */
  shapes: Shape[]
  /** Something on its way under the pointer. */
  dragged: { shape?: Shape; body?: Body; person?: string; at: Point } | null
  names: boolean
  people: boolean
}

/** Below this scale only the selected robot has its name written. */
const NAMES_FROM = 22

export function drawActors(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  scene: Scene,
): void {
  beginNames()
  if (scene.trails) drawTrails(ctx, camera, colors, scene)
  drawScans(ctx, camera, colors, scene.scans)
  drawPaths(ctx, camera, colors, scene.paths)
  for (const door of scene.now?.doors ?? []) drawDoor(ctx, camera, colors, door)
  drawThings(ctx, camera, colors, scene)
  for (const ghost of scene.ghosts) drawBody(ctx, camera, colors, ghost, false, true)
  for (const body of scene.bodies) drawBody(ctx, camera, colors, body, body.robot === scene.selected, false)
  if (scene.people) for (const person of scene.now?.people ?? []) drawPerson(ctx, camera, colors, person)
  for (const { at, name } of scene.objects) mark(ctx, camera, colors, at, name)
  drawNames(ctx, camera, colors, scene)
  if (scene.dragged) drawDragged(ctx, camera, colors, scene.dragged)
}

function drawBody(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  body: Body,
  selected: boolean,
  ghost: boolean,
): void {
  const color = colors.family(body.family)
  const [x, y] = toScreen(camera, [body.x, body.y])
  const reach = Math.max(...body.outline.map(([px, py]) => Math.hypot(px, py))) * camera.k
  ctx.globalAlpha = ghost ? 0.5 : body.stale ? 0.4 : 1
  if (selected) {
    ctx.beginPath()
    ctx.arc(x, y, Math.max(reach, 7) + 6, 0, 2 * Math.PI)
    ctx.strokeStyle = colors.accent
    ctx.lineWidth = 2.5
    ctx.stroke()
  }
  if (reach < 5) {
    ctx.beginPath()
    ctx.arc(x, y, 4.5, 0, 2 * Math.PI)
  } else {
    polygon(ctx, camera, placed(body.outline, body.x, body.y, body.yaw))
  }
  if (ghost) ctx.setLineDash([3, 3])
  ctx.fillStyle = ghost ? 'transparent' : color
  ctx.strokeStyle = ghost ? color : colors.floor
  ctx.lineWidth = ghost ? 1.5 : 1
  ctx.fill()
  ctx.stroke()
  ctx.setLineDash([])
  // A nose, so that the heading shows at any scale.
  const nose = Math.max(reach, 6)
  const [dx, dy] = [Math.cos(body.yaw), -Math.sin(body.yaw)]
  ctx.beginPath()
  ctx.moveTo(x + dx * nose * 0.78, y + dy * nose * 0.78)
  ctx.lineTo(x - dx * nose * 0.1 + dy * nose * 0.38, y - dy * nose * 0.1 - dx * nose * 0.38)
  ctx.lineTo(x - dx * nose * 0.1 - dy * nose * 0.38, y - dy * nose * 0.1 + dx * nose * 0.38)
  ctx.closePath()
  ctx.fillStyle = ghost ? color : colors.floor
  ctx.fill()
  ctx.globalAlpha = 1
}

function drawNames(ctx: CanvasRenderingContext2D, camera: Camera, colors: Palette, scene: Scene): void {
  // The chosen one first: where names would be on each other, the first stands.
  const chosenFirst = [...scene.bodies].sort(
    (a, b) => Number(b.robot === scene.selected) - Number(a.robot === scene.selected),
  )
  for (const body of chosenFirst) {
    const selected = body.robot === scene.selected
    if (!selected && !(scene.names && camera.k > NAMES_FROM)) continue
    const reach = Math.max(...body.outline.map(([x, y]) => Math.hypot(x, y))) * camera.k
    const name = body.stale ? `${body.robot} (no news)` : body.robot
    tag(ctx, colors, toScreen(camera, [body.x, body.y]), name, Math.max(reach, 6) + 4, true)
  }
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
    ctx.strokeStyle = colors.family(body.family)
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

function drawPaths(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  paths: Scene['paths'],
): void {
  ctx.strokeStyle = colors.path
  for (const { points, local } of paths) {
    if (points.length < 2) continue
    polygon(ctx, camera, points, false)
    ctx.lineWidth = local ? 3 : 2
    ctx.setLineDash(local ? [] : [7, 5])
    ctx.stroke()
    ctx.setLineDash([])
    const end = points.at(-1)
    if (!end) continue
    const [x, y] = toScreen(camera, end)
    ctx.beginPath()
    ctx.arc(x, y, 5, 0, 2 * Math.PI)
    ctx.stroke()
  }
}

function drawPerson(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { name, x_m, y_m, yaw_rad }: { name: string | null; x_m: number; y_m: number; yaw_rad: number },
): void {
  const [x, y] = toScreen(camera, [x_m, y_m])
  const size = Math.max(0.22 * camera.k, 5)
  ctx.save()
  ctx.translate(x, y)
  ctx.rotate(-yaw_rad)
  ctx.fillStyle = colors.person
  ctx.strokeStyle = colors.floor
  ctx.lineWidth = 1
  ctx.beginPath()
  ctx.ellipse(0, 0, size * 0.55, size, 0, 0, 2 * Math.PI)
  ctx.fill()
  ctx.stroke()
  ctx.beginPath()
  ctx.arc(size * 0.12, 0, size * 0.45, 0, 2 * Math.PI)
  ctx.fill()
  ctx.stroke()
  ctx.restore()
  if (name !== null && camera.k > NAMES_FROM) tag(ctx, colors, [x, y], name, size + 3, true)
}

function drawDoor(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { name, state, polygon_m }: WorldNow['doors'][number],
): void {
  if (polygon_m.length < 2) return
  polygon(ctx, camera, polygon_m)
  ctx.fillStyle = state === 'open' ? colors.good : state === 'closed' ? colors.bad : colors.warn
  ctx.globalAlpha = state === 'open' ? 0.5 : 0.9
  ctx.fill()
  ctx.globalAlpha = 1
  const middle = toScreen(camera, [
    polygon_m.reduce((sum, [x]) => sum + x, 0) / polygon_m.length,
    polygon_m.reduce((sum, [, y]) => sum + y, 0) / polygon_m.length,
  ])
  if (camera.k > 30) tag(ctx, colors, middle, `${name}: ${state}`, 8)
}

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

function mark(ctx: CanvasRenderingContext2D, camera: Camera, colors: Palette, at: Point, name: string): void {
  const [x, y] = toScreen(camera, at)
  ctx.strokeStyle = colors.warn
  ctx.lineWidth = 1.5
  ctx.strokeRect(x - 6, y - 6, 12, 12)
  tag(ctx, colors, [x, y], name, 8)
}

function drawDragged(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { shape, body, person, at }: NonNullable<Scene['dragged']>,
): void {
  ctx.globalAlpha = 0.7
  if (body) drawBody(ctx, camera, colors, { ...body, x: at[0], y: at[1] }, true, false)
  else if (person !== undefined) {
    drawPerson(ctx, camera, colors, { name: person, x_m: at[0], y_m: at[1], yaw_rad: 0 })
  } else if (shape) drawShape(ctx, camera, colors, moved(shape, at))
  ctx.globalAlpha = 1
}

/** A shape with its middle elsewhere, turned if it is. */
export function moved(shape: Shape, [x, y]: Point, yaw = shape.yaw_rad): Shape {
  const [sin, cos] = [Math.sin(yaw - shape.yaw_rad), Math.cos(yaw - shape.yaw_rad)]
  const place = ([px, py]: Point): Point => {
    const [dx, dy] = [px - shape.x_m, py - shape.y_m]
    return [x + cos * dx - sin * dy, y + sin * dx + cos * dy]
  }
  const circle = shape.circle
  const [cx, cy] = circle ? place([circle.x_m, circle.y_m]) : [0, 0]
  return {
    ...shape,
    x_m: x,
    y_m: y,
    yaw_rad: yaw,
    polygon_m: shape.polygon_m?.map(place) ?? null,
    circle: circle && { ...circle, x_m: cx, y_m: cy },
  }
}
