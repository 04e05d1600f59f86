// What stands still: the floor with its boards, the outer wall, walls, furniture and what lies about.

import {
  CanvasTexture,
  Color,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PlaneGeometry,
  RepeatWrapping,
  SRGBColorSpace,
} from 'three'

import type { Shape, World } from '../../../api/types'
import type { Point } from '../camera'
import type { Palette } from '../palette'
import { daylight } from '../daylight'
import { inside } from '../pick'
import { corners, isSolid } from '../standing'
import { bodyOf, matte, pane, prism, solid, spot } from './solids'

const OUTER_M = 0.06
const OUTER_HIGH_M = 0.14
const BOARD_M = 0.25
const BOARD_LONG_M = 2
/** Boards in a picture of the floor, along and across. */
const TILE: Point = [2, 8]
const TILE_PX = 1024
const DROP = '#1b1b1d'

/** A part of the room, and the shape that it shows. */
export interface Standing {
  shape: Shape
  body: Object3D
}

export interface Room {
  all: Group
  standing: Standing[]
}

export function buildRoom(world: World, colors: Palette, shown: (layer: string) => boolean): Room {
  const all = new Group()
  all.add(floor(world, colors), ...outerWall(world, colors), ...windows(world))
  const standing: Standing[] = []
  for (const shape of world.shapes) {
    if (!shown(shape.layer)) continue
    const body = bodyOf(shape, colorOf(shape, colors), liesAt(shape, world))
    if (!body) continue
    standing.push({ shape, body })
    all.add(body)
  }
  return { all, standing }
}

function colorOf({ layer, color }: Shape, colors: Palette): Color {
  if (layer === 'drop') return new Color(DROP)
  if (layer === 'charger') return new Color(colors.good)
  if (color) return new Color().setRGB(color[0] / 255, color[1] / 255, color[2] / 255, SRGBColorSpace)
  return new Color(layer === 'wall' ? colors.wall : colors.thing)
}

/** A thing lies on the furniture below it, or on the floor. */
function liesAt(shape: Shape, world: World): number {
  if (shape.layer !== 'object') return 0
  const below = world.shapes.filter(
    (it) => isSolid(it.layer) && it.layer !== 'wall' && inside([shape.x_m, shape.y_m], corners(it), 0),
  )
  return Math.max(shape.height_m ?? 0, 0, ...below.map((it) => it.height_m ?? 0))
}

function floor({ bounds_m: [x0, y0, x1, y1] }: World, colors: Palette): Mesh {
  const [wide, deep] = [x1 - x0, y1 - y0]
  const picture = new CanvasTexture(boards(colors))
  picture.wrapS = picture.wrapT = RepeatWrapping
  picture.colorSpace = SRGBColorSpace
  picture.anisotropy = 8
  picture.repeat.set(wide / (TILE[0] * BOARD_LONG_M), deep / (TILE[1] * BOARD_M))
  const material = new MeshStandardMaterial({ map: picture, roughness: 0.75 })
  material.addEventListener('dispose', () => picture.dispose())
  const mesh = new Mesh(new PlaneGeometry(wide, deep), material)
  mesh.position.set((x0 + x1) / 2, (y0 + y1) / 2, 0)
  mesh.receiveShadow = true
  return mesh
}

/** Boards of slightly different wood, each row shifted against the last. */
function boards(colors: Palette): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = TILE_PX
  const ctx = canvas.getContext('2d')
  if (!ctx) return canvas
  const [along, across] = [TILE_PX / TILE[0], TILE_PX / TILE[1]]
  ctx.fillStyle = colors.floor
  ctx.fillRect(0, 0, TILE_PX, TILE_PX)
  for (let row = 0; row < TILE[1]; row++) {
    for (let board = -1; board < TILE[0]; board++) {
      const x = (board + ((row * 0.37) % 1)) * along
      // The last board of a row goes on at its beginning.
      const tint = ((row * 7 + ((board + TILE[0]) % TILE[0]) * 5) % 11) / 11
      ctx.fillStyle = `rgb(150 105 60 / ${(0.05 + 0.1 * tint).toFixed(3)})`
      ctx.fillRect(x, row * across, along, across)
      ctx.strokeStyle = 'rgb(60 40 20 / 22%)'
      ctx.lineWidth = 2
      ctx.strokeRect(x, row * across, along, across)
    }
  }
  return canvas
}

/** Glass where the outer walls would be, and the light that falls through it. */
function windows({ shapes }: World): Mesh[] {
  return shapes.flatMap((shape) => {
    const lit = daylight(shape)
    const [from, to] = shape.polygon_m ?? []
    if (lit.length === 0 || !from || !to) return []
    return [spot(lit, '#fff1c9', 0.32), pane(from, to)]
  })
}

/** The room ends at its bounds; its outer walls are low, so that one sees in from every side. */
function outerWall({ bounds_m: [x0, y0, x1, y1] }: World, colors: Palette): Mesh[] {
  const material = matte(colors.wall)
  const beam = (from: Point, to: Point) => {
    const corner: Point[] = [from, [to[0], from[1]], to, [from[0], to[1]]]
    return solid(prism(corner, OUTER_HIGH_M), material)
  }
  return [
    beam([x0 - OUTER_M, y0 - OUTER_M], [x1 + OUTER_M, y0]),
    beam([x0 - OUTER_M, y1], [x1 + OUTER_M, y1 + OUTER_M]),
    beam([x0 - OUTER_M, y0], [x0, y1]),
    beam([x1, y0], [x1 + OUTER_M, y1]),
  ]
}
