// Small strokes that every drawing of the map uses.

import { type Camera, type Point, toScreen } from './camera'
import type { Labels } from './labels'
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

/** To measure a text costs more than to draw it. */
const widths = new Map<string, number>()
const MOST_WIDTHS = 2000

function widthOf(ctx: CanvasRenderingContext2D, text: string): number {
  const key = `${ctx.font}|${text}`
  let width = widths.get(key)
  if (width === undefined) {
    if (widths.size > MOST_WIDTHS) widths.clear()
    width = ctx.measureText(text).width
    widths.set(key, width)
  }
  return width
}

/** A name beside a place, readable on any ground; left out where there is no room for it. */
export function tag(
  ctx: CanvasRenderingContext2D,
  colors: Palette,
  labels: Labels,
  at: Point,
  name: string,
  reach: number,
  strong = false,
): void {
  ctx.font = `${strong ? 600 : 450} 11px ${colors.font}`
  const place = labels.place(name, at, reach, widthOf(ctx, name))
  if (!place) return
  ctx.textAlign = 'center'
  ctx.textBaseline = 'top'
  ctx.lineWidth = 3
  ctx.lineJoin = 'round'
  ctx.strokeStyle = colors.floor
  ctx.strokeText(name, ...place)
  ctx.fillStyle = strong ? colors.ink : colors.muted
  ctx.fillText(name, ...place)
}

/** Words in a box of their own, above everything; `at` is the middle of its lower edge. */
export function bubble(
  ctx: CanvasRenderingContext2D,
  colors: Palette,
  [x, y]: Point,
  words: string,
  width: number,
): void {
  ctx.font = `550 12px ${colors.font}`
  const half = widthOf(ctx, words) / 2 + 8
  const cx = Math.min(Math.max(x, half + 4), Math.max(width - half - 4, half + 4))
  const top = Math.max(y - 24, 4)
  ctx.fillStyle = colors.ink
  ctx.beginPath()
  ctx.roundRect(cx - half, top, 2 * half, 22, 6)
  ctx.fill()
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillStyle = colors.panel
  ctx.fillText(words, cx, top + 11.5)
}
