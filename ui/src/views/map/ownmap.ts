// A robot's own map: the occupancy grid that it made or was given.

import { type Data, number } from '../../live/read'
import { type Camera, toScreen } from './camera'
import type { Palette } from './palette'

export interface OwnMap {
  picture: ImageBitmap | HTMLCanvasElement
  resolution_m: number
  width: number
  height: number
  origin: [number, number]
  /** How its rows are turned about the origin; counter-clockwise. */
  yaw: number
}

const UNKNOWN = -1

/** A grid as a picture; `null` if the record is none. Cells are bytes with sign in Base64, -1 unknown, 0..100. */
export function ownMap(data: Data | undefined): OwnMap | null {
  const [resolution_m, width, height, x, y] = [
    'resolution_m',
    'width',
    'height',
    'origin_x_m',
    'origin_y_m',
  ].map((name) => number(data, name))
  const cells = data?.cells
  if (!resolution_m || !width || !height || x == null || y == null || typeof cells !== 'string') return null
  const bytes = cellsFromBase64(cells)
  if (bytes?.length !== width * height) return null
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const ctx = canvas.getContext('2d')
  if (!ctx) return null
  const image = ctx.createImageData(width, height)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cell = bytes[row * width + column] ?? UNKNOWN
      // The grid's first row is the lowest, the picture's the highest.
      const at = ((height - 1 - row) * width + column) * 4
      image.data[at] = image.data[at + 1] = image.data[at + 2] = cell < 0 ? 128 : 255 - cell * 2.2
      image.data[at + 3] = cell < 0 ? 40 : cell === 0 ? 60 : 230
    }
  }
  ctx.putImageData(image, 0, 0)
  return {
    picture: canvas,
    resolution_m,
    width,
    height,
    origin: [x, y],
    yaw: number(data, 'origin_yaw_rad') ?? 0,
  }
}

export function cellsFromBase64(text: string): Int8Array | null {
  try {
    return Int8Array.from(atob(text), (char) => (char.charCodeAt(0) << 24) >> 24)
  } catch {
    return null
  }
}

export function drawOwnMap(ctx: CanvasRenderingContext2D, camera: Camera, _: Palette, map: OwnMap): void {
  const [x, y] = toScreen(camera, map.origin)
  const k = camera.k * map.resolution_m
  ctx.save()
  ctx.imageSmoothingEnabled = false
  ctx.translate(x, y)
  // On the screen y goes down.
  ctx.rotate(-map.yaw)
  ctx.drawImage(map.picture, 0, -map.height * k, map.width * k, map.height * k)
  ctx.restore()
}
