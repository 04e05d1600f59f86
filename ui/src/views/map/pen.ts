// Small strokes that every drawing of the map uses.

import { type Camera, type Point, toScreen } from './camera'
import type { Palette } from './palette'

export function polygon(
  ctx: CanvasRenderingContext2D,
  camera: Camera,
  points: readonly Point[],
  close = true,
): void {
  ctx.beginPath()
  points.forEach((point, at) => {
    const [x, y] = toScreen(camera, point)
    if (at === 0) ctx.moveTo(x, y)
    else ctx.lineTo(x, y)
  })
  if (close) ctx.closePath()
}

export function line(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.moveTo(Math.round(x0) + 0.5, Math.round(y0) + 0.5)
  ctx.lineTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5)
}

/** A name beside a place, readable on any ground. */
export function tag(
  ctx: CanvasRenderingContext2D,
  colors: Palette,
  [x, y]: Point,
  name: string,
  below: number,
  strong = false,
): void {
  ctx.font = `${strong ? 600 : 450} 11px ${colors.font}`
  ctx.textAlign = 'center'
  ctx.textBaseline = 'top'
  ctx.lineWidth = 3
  ctx.lineJoin = 'round'
  ctx.strokeStyle = colors.floor
  ctx.strokeText(name, x, y + below)
  ctx.fillStyle = strong ? colors.ink : colors.muted
  ctx.fillText(name, x, y + below)
}
