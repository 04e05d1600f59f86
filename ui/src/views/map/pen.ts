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

type Box = [left: number, top: number, right: number, bottom: number]

/** Where names stand already in this drawing. */
let taken: Box[] = []

/** Begins a drawing, in which no name is on another. */
export function beginNames(): void {
  taken = []
}

/** A name beside a place, readable on any ground; left out where another stands already. */
export function tag(
  ctx: CanvasRenderingContext2D,
  colors: Palette,
  [x, y]: Point,
  name: string,
  below: number,
  strong = false,
): void {
  ctx.font = `${strong ? 600 : 450} 11px ${colors.font}`
  const half = ctx.measureText(name).width / 2
  const box: Box = [x - half, y + below, x + half, y + below + 12]
  if (taken.some((it) => it[0] < box[2] && it[2] > box[0] && it[1] < box[3] && it[3] > box[1])) return
  taken.push(box)
  ctx.textAlign = 'center'
  ctx.textBaseline = 'top'
  ctx.lineWidth = 3
  ctx.lineJoin = 'round'
  ctx.strokeStyle = colors.floor
  ctx.strokeText(name, x, y + below)
  ctx.fillStyle = strong ? colors.ink : colors.muted
  ctx.fillText(name, x, y + below)
}
