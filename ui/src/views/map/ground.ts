// What stands still: the floor with its grid, walls, furniture, chargers and marks. Drawn only when the
// view or the world changes.

import type { Shape, World } from '../../api/types'
import { type Camera, type Point, scaleBar, toScreen } from './camera'
import { daylight } from './daylight'
import { corners, isSolid } from './standing'
import { line, polygon } from './pen'
import type { Palette } from './palette'

const HIDDEN = new Set(['door', 'window'])
const FLAT = new Set(['floor', 'drop'])
const SIGNS: Record<string, string> = {
  charger: '⚡',
  barcode: '▦',
  landmark: '◆',
  place: '•',
  light: '☀',
  sound: '♪',
  spawn: '○',
  frame: '⌖',
}

const PANE = '#8fc4e8'
const SHADOW = 'rgb(0 0 0 / 30%)'
/** Metres of shadow for each metre of height. */
const SHADOW_M = 0.06
const LONGEST_SHADOW = 12
/** The edge around the top of furniture. */
const EDGE_M = 0.06
const BOARD_M = 0.25
const BOARD_LONG_M = 1.9

export function drawGround(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  world: World | null,
  /** What stands there if another frame than the world's is drawn. */
  shifted: Shape[],
  /** What moves is drawn where it is now, by others. */
  moves: (shape: Shape) => boolean,
  shown: (layer: string) => boolean,
): void {
  const { width, height } = ctx.canvas
  const ratio = window.devicePixelRatio
  const [w, h] = [width / ratio, height / ratio]
  ctx.fillStyle = colors.grid
  ctx.fillRect(0, 0, w, h)
  if (world) {
    const [x0, y0, x1, y1] = world.bounds_m
    const [left, top] = toScreen(camera, [x0, y1])
    const [right, bottom] = toScreen(camera, [x1, y0])
    ctx.fillStyle = colors.floor
    ctx.fillRect(left, top, right - left, bottom - top)
  } else {
    ctx.fillStyle = colors.floor
    ctx.fillRect(0, 0, w, h)
  }
  const isVisible = (shape: Shape) => !HIDDEN.has(shape.layer) && !moves(shape) && shown(shape.layer)
  if (!world) {
    drawGrid(ctx, camera, colors, w, h)
    for (const shape of shifted.filter(isVisible)) drawShape(ctx, camera, colors, shape)
    return
  }
  drawBoards(ctx, camera, colors, world)
  const visible = world.shapes.filter(isVisible)
  for (const shape of visible) if (FLAT.has(shape.layer)) drawShape(ctx, camera, colors, shape)
  drawLights(ctx, camera, colors, world)
  drawDaylight(ctx, camera, world)
  drawGrid(ctx, camera, colors, w, h)
  drawOuterWall(ctx, camera, colors, world)
  drawPanes(ctx, camera, world)
  for (const shape of visible) if (!FLAT.has(shape.layer)) drawShape(ctx, camera, colors, shape)
}

/** A shape of the world; also used for one that is being dragged. */
export function drawShape(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  shape: Shape,
): void {
  const own = shape.color ? `rgb(${shape.color.join(' ')})` : colors.thing
  const isWall = shape.layer === 'wall'
  ctx.save()
  if (shape.reality === 'V') ctx.setLineDash([5, 4])
  ctx.globalAlpha *= FLAT.has(shape.layer) ? 0.35 : isWall ? 1 : colors.solid
  ctx.strokeStyle = colors.muted
  ctx.lineWidth = 1
  ctx.fillStyle = isWall ? colors.wall : own
  if (isWall) {
    ctx.strokeStyle = colors.wall
    ctx.lineWidth = 1.5
  }
  if (outline(ctx, camera, shape)) {
    ctx.save()
    if (!FLAT.has(shape.layer) && shape.reality !== 'V') castShadow(ctx, camera, shape)
    ctx.fill()
    ctx.restore()
    ctx.stroke()
    if (isSolid(shape.layer) && !isWall) drawTop(ctx, camera, shape)
  }
  ctx.restore()
  const sign = SIGNS[shape.layer]
  if (sign) sticker(ctx, colors, toScreen(camera, [shape.x_m, shape.y_m]), sign)
}

function outline(ctx: CanvasRenderingContext2D, camera: Camera, shape: Shape): boolean {
  if (shape.polygon_m && shape.polygon_m.length > 1) {
    polygon(ctx, camera, shape.polygon_m)
    return true
  }
  if (!shape.circle) return false
  const [x, y] = toScreen(camera, [shape.circle.x_m, shape.circle.y_m])
  ctx.beginPath()
  ctx.arc(x, y, Math.max(shape.circle.radius_m * camera.k, 1.5), 0, 2 * Math.PI)
  return true
}

/** What is tall casts a longer shadow; the light comes from the upper left. */
function castShadow(ctx: CanvasRenderingContext2D, camera: Camera, { height_m }: Shape): void {
  const length = Math.min((height_m ?? 0.3) * SHADOW_M * camera.k, LONGEST_SHADOW)
  const ratio = window.devicePixelRatio
  ctx.shadowColor = SHADOW
  ctx.shadowOffsetX = ctx.shadowOffsetY = length * ratio
  ctx.shadowBlur = length * 1.5 * ratio
}

/** The top of furniture: lighter, inside an edge. */
function drawTop(ctx: CanvasRenderingContext2D, camera: Camera, shape: Shape): void {
  const points = corners(shape)
  const [x, y] = [shape.x_m, shape.y_m]
  const reach = Math.max(...points.map(([px, py]) => Math.hypot(px - x, py - y)))
  const scale = 1 - EDGE_M / Math.max(reach, EDGE_M)
  if (reach * camera.k < 10 || scale <= 0) return
  ctx.setLineDash([])
  polygon(
    ctx,
    camera,
    points.map(([px, py]): Point => [x + (px - x) * scale, y + (py - y) * scale]),
  )
  ctx.fillStyle = 'rgb(255 255 255 / 14%)'
  ctx.fill()
  ctx.strokeStyle = 'rgb(255 255 255 / 28%)'
  ctx.stroke()
}

/** Boards of the floor, so faint that they carry no meaning. */
function drawBoards(ctx: CanvasRenderingContext2D, camera: Camera, colors: Palette, world: World): void {
  if (camera.k * BOARD_M < 6) return
  const [x0, y0, x1, y1] = world.bounds_m
  ctx.strokeStyle = colors.grid
  ctx.globalAlpha = 0.6
  ctx.lineWidth = 1
  ctx.beginPath()
  let row = 0
  for (let y = y0 + BOARD_M; y < y1 + BOARD_M; y += BOARD_M, row++) {
    const top = Math.min(y, y1)
    line(ctx, ...toScreen(camera, [x0, top]), ...toScreen(camera, [x1, top]))
    for (let x = x0 + ((row * 0.73) % BOARD_LONG_M); x < x1; x += BOARD_LONG_M) {
      line(ctx, ...toScreen(camera, [x, top]), ...toScreen(camera, [x, y - BOARD_M]))
    }
  }
  ctx.stroke()
  ctx.globalAlpha = 1
}

/** A lamp that is on lights the floor below it. */
function drawLights(ctx: CanvasRenderingContext2D, camera: Camera, colors: Palette, world: World): void {
  const [x0, y0, x1, y1] = world.bounds_m
  const [left, top] = toScreen(camera, [x0, y1])
  const [right, bottom] = toScreen(camera, [x1, y0])
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, top, right - left, bottom - top)
  ctx.clip()
  for (const light of world.shapes) {
    if (light.layer !== 'light' || light.label !== 'on') continue
    const [x, y] = toScreen(camera, [light.x_m, light.y_m])
    const radius = (light.height_m ?? 2) * camera.k
    const glow = ctx.createRadialGradient(x, y, 0, x, y, radius)
    glow.addColorStop(0, colors.light)
    glow.addColorStop(1, 'rgb(255 220 140 / 0%)')
    ctx.fillStyle = glow
    ctx.fillRect(x - radius, y - radius, 2 * radius, 2 * radius)
  }
  ctx.restore()
}

/** Daylight on the floor before the windows, fainter where it comes from higher up. */
function drawDaylight(ctx: CanvasRenderingContext2D, camera: Camera, world: World): void {
  for (const shape of world.shapes) {
    const lit = daylight(shape)
    const [near, , , far] = lit
    if (!near || !far) continue
    polygon(ctx, camera, lit)
    const light = ctx.createLinearGradient(...toScreen(camera, near), ...toScreen(camera, far))
    light.addColorStop(0, 'rgb(255 243 205 / 50%)')
    light.addColorStop(1, 'rgb(255 243 205 / 12%)')
    ctx.fillStyle = light
    ctx.fill()
  }
}

/** Windows in the outer wall. */
function drawPanes(ctx: CanvasRenderingContext2D, camera: Camera, world: World): void {
  ctx.strokeStyle = PANE
  ctx.lineWidth = 4
  for (const { layer, polygon_m } of world.shapes) {
    const [from, to] = polygon_m ?? []
    if (layer !== 'window' || !from || !to) continue
    ctx.beginPath()
    line(ctx, ...toScreen(camera, from), ...toScreen(camera, to))
    ctx.stroke()
  }
}

/** The room ends at its bounds. */
function drawOuterWall(ctx: CanvasRenderingContext2D, camera: Camera, colors: Palette, world: World): void {
  const [x0, y0, x1, y1] = world.bounds_m
  const [left, top] = toScreen(camera, [x0, y1])
  const [right, bottom] = toScreen(camera, [x1, y0])
  ctx.strokeStyle = colors.wall
  ctx.lineWidth = 3
  ctx.strokeRect(left - 1.5, top - 1.5, right - left + 3, bottom - top + 3)
}

function sticker(ctx: CanvasRenderingContext2D, colors: Palette, [x, y]: Point, sign: string): void {
  ctx.font = `13px ${colors.font}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillStyle = colors.ink
  ctx.globalAlpha = 0.75
  ctx.fillText(sign, x, y)
  ctx.globalAlpha = 1
}

function drawGrid(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  w: number,
  h: number,
): void {
  const step = scaleBar(camera, 120)
  const every = step * camera.k
  ctx.strokeStyle = colors.grid
  ctx.lineWidth = 1
  ctx.beginPath()
  for (let x = ((camera.x % every) + every) % every; x < w; x += every) line(ctx, x, 0, x, h)
  for (let y = ((camera.y % every) + every) % every; y < h; y += every) line(ctx, 0, y, w, y)
  ctx.stroke()
  // The scale, at the lower left.
  ctx.strokeStyle = colors.muted
  ctx.lineWidth = 1.5
  ctx.beginPath()
  line(ctx, 16, h - 16, 16 + every, h - 16)
  line(ctx, 16, h - 20, 16, h - 12)
  line(ctx, 16 + every, h - 20, 16 + every, h - 12)
  ctx.stroke()
  ctx.font = `11px ${colors.font}`
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  ctx.fillStyle = colors.muted
  ctx.fillText(step >= 1 ? `${step} m` : `${Math.round(step * 100)} cm`, 20, h - 18)
}
