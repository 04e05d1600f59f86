// What stands still: the floor with its grid, walls, furniture, chargers and marks. Drawn only when the
// view or the world changes.

import type { Shape, World } from '../../api/types'
import { type Camera, type Point, scaleBar, toScreen } from './camera'
import { beginNames, line, polygon, tag } from './pen'
import type { Palette } from './palette'

const HIDDEN = new Set(['door'])
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

export function drawGround(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  world: World | null,
  /** What moves is drawn where it is now, by others. */
  moves: (shape: Shape) => boolean,
  shown: (layer: string) => boolean,
): void {
  beginNames()
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
  drawGrid(ctx, camera, colors, w, h)
  if (!world) return
  drawOuterWall(ctx, camera, colors, world)
  const visible = world.shapes.filter(
    (shape) => !HIDDEN.has(shape.layer) && !moves(shape) && shown(shape.layer),
  )
  for (const shape of visible) if (FLAT.has(shape.layer)) drawShape(ctx, camera, colors, shape)
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
  ctx.globalAlpha = FLAT.has(shape.layer) ? 0.35 : isWall ? 1 : colors.solid
  ctx.strokeStyle = colors.muted
  ctx.lineWidth = 1
  if (shape.polygon_m && shape.polygon_m.length > 1) {
    polygon(ctx, camera, shape.polygon_m)
    ctx.fillStyle = isWall ? colors.wall : own
    ctx.fill()
    if (isWall) {
      ctx.strokeStyle = colors.wall
      ctx.lineWidth = 1.5
    }
    ctx.stroke()
  } else if (shape.circle) {
    const [x, y] = toScreen(camera, [shape.circle.x_m, shape.circle.y_m])
    ctx.beginPath()
    ctx.arc(x, y, Math.max(shape.circle.radius_m * camera.k, 1.5), 0, 2 * Math.PI)
    ctx.fillStyle = own
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
  const sign = SIGNS[shape.layer]
  const at = toScreen(camera, [shape.x_m, shape.y_m])
  if (sign) sticker(ctx, colors, at, sign)
  const name = shape.label ?? shape.name
  if (name && !isWall && camera.k > 45) tag(ctx, colors, at, name, sign ? 13 : 4)
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
