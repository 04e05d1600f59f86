// Robots and people from above, each with its shadow.

import type { WorldNow } from '../../api/types'
import { type Camera, placed, type Point, toScreen } from './camera'
import { robotColor } from './hues'
import type { Palette } from './palette'
import { polygon } from './pen'
import type { Body } from './scene'

/** How far a shadow lies from its body, points of the screen per metre of scale. */
const SHADOW_M = 0.05
const SHADOW = 'rgb(0 0 0 / 18%)'
const PERSON_M = 0.22

export type Look = 'chosen' | 'plain' | 'ghost'

/** How far a body reaches from its middle, on the screen. */
export const reachOf = (body: Body, camera: Camera) =>
  Math.max(6, Math.max(...body.outline.map(([x, y]) => Math.hypot(x, y))) * camera.k)

export function drawBody(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  body: Body,
  look: Look,
): void {
  const ghost = look === 'ghost'
  const color = robotColor(colors, body.robot, body.family)
  const [x, y] = toScreen(camera, [body.x, body.y])
  const reach = Math.max(...body.outline.map(([px, py]) => Math.hypot(px, py))) * camera.k
  const outline = (off: Point) => {
    if (reach < 5) {
      ctx.beginPath()
      ctx.arc(x + off[0], y + off[1], 4.5, 0, 2 * Math.PI)
    } else {
      const moved = { ...camera, x: camera.x + off[0], y: camera.y + off[1] }
      polygon(ctx, moved, placed(body.outline, body.x, body.y, body.yaw))
    }
  }
  const alpha = ctx.globalAlpha
  ctx.globalAlpha = alpha * (ghost ? 0.5 : body.stale ? 0.4 : 1)
  if (look === 'chosen') {
    ctx.beginPath()
    ctx.arc(x, y, Math.max(reach, 7) + 6, 0, 2 * Math.PI)
    ctx.strokeStyle = colors.accent
    ctx.lineWidth = 2.5
    ctx.stroke()
  }
  if (!ghost) {
    const off = Math.max(1.5, SHADOW_M * camera.k)
    outline([off, off])
    ctx.fillStyle = SHADOW
    ctx.fill()
  }
  outline([0, 0])
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
  ctx.globalAlpha = alpha
}

export const personReach = (camera: Camera) => Math.max(PERSON_M * camera.k, 5)

export function drawPerson(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  colors: Palette,
  { x_m, y_m, yaw_rad }: Pick<WorldNow['people'][number], 'x_m' | 'y_m' | 'yaw_rad'>,
): void {
  const [x, y] = toScreen(camera, [x_m, y_m])
  const size = personReach(camera)
  ctx.save()
  ctx.translate(x, y)
  ctx.rotate(-yaw_rad)
  ctx.strokeStyle = colors.floor
  ctx.lineWidth = 1
  ctx.beginPath()
  ctx.ellipse(size * 0.15, size * 0.15, size * 0.6, size * 1.02, 0, 0, 2 * Math.PI)
  ctx.fillStyle = SHADOW
  ctx.fill()
  ctx.fillStyle = colors.person
  ctx.beginPath()
  ctx.ellipse(0, 0, size * 0.55, size, 0, 0, 2 * Math.PI)
  ctx.fill()
  ctx.stroke()
  ctx.beginPath()
  ctx.arc(size * 0.12, 0, size * 0.45, 0, 2 * Math.PI)
  ctx.fill()
  ctx.stroke()
  ctx.restore()
}
