// Bodies of outlines: what stands on the floor has the outline of the map and a height.

import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  ExtrudeGeometry,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
  Shape as Outline,
  ShapeGeometry,
} from 'three'

import type { Shape } from '../../../api/types'
import type { Point } from '../camera'
import { moved } from '../shift'
import { corners } from '../standing'

/** Walls are cut here, so that one looks into the rooms. */
export const CUT_M = 1.15
/** What has no height of its own. */
const FLAT_M = 0.02
const LEG_M = 0.05
const BOARD_M = 0.04
const THING_M = 0.06
const SPOT_M = 0.024
const PANE_M = 0.03
/** Layers that lie on each other on the floor, the lowest first. */
const ON_FLOOR = ['floor', 'drop', 'charger', 'barcode']
/** Layers that are signs for a person, not bodies. */
const SIGNS = new Set(['place', 'spawn', 'frame', 'light', 'sound', 'door', 'window'])
const BEVEL_M = 0.015

const outlineOf = (points: Point[]) => {
  const outline = new Outline()
  points.forEach(([x, y], at) => (at === 0 ? outline.moveTo(x, y) : outline.lineTo(x, y)))
  return outline
}

/** A prism over an outline. */
export function prism(points: Point[], height: number, bevel = false): BufferGeometry {
  const round = bevel ? Math.min(BEVEL_M, height / 4) : 0
  const geometry = new ExtrudeGeometry(outlineOf(points), {
    depth: Math.max(height - 2 * round, 0.001),
    bevelEnabled: bevel,
    bevelThickness: round,
    bevelSize: round,
    bevelOffset: -round,
    bevelSegments: 2,
  })
  return geometry.translate(0, 0, round)
}

export const matte = (color: string | Color) => new MeshStandardMaterial({ color, roughness: 0.85 })

export function solid(geometry: BufferGeometry, material: Material): Mesh {
  const mesh = new Mesh(geometry, material)
  mesh.castShadow = mesh.receiveShadow = true
  return mesh
}

/** A shape of the world about its own middle, as it stands there; nothing for a sign. */
export function bodyOf(shape: Shape, color: Color, lies: number): Object3D | null {
  if (SIGNS.has(shape.layer)) return null
  const points = corners(moved(shape, [0, 0], 0))
  if (points.length < 3) return null
  const body = about(shape, points, color, lies)
  body.position.set(shape.x_m, shape.y_m, 0)
  body.rotation.z = shape.yaw_rad
  return body
}

function about(shape: Shape, points: Point[], color: Color, lies: number): Object3D {
  const order = ON_FLOOR.indexOf(shape.layer)
  if (order >= 0) return flat(points, color, 0.004 * (order + 1))
  const height = shape.height_m ?? FLAT_M
  if (shape.layer === 'rack') return table(points, color, height)
  if (shape.layer === 'table') return board(points, color, height)
  if (shape.layer === 'object') {
    const mesh = solid(prism(points, 2 * THING_M, true), matte(color))
    mesh.position.z = lies
    return new Group().add(mesh)
  }
  const material = matte(color)
  if (shape.reality === 'V') {
    material.transparent = true
    material.opacity = 0.5
  }
  const isWall = shape.layer === 'wall'
  const mesh = solid(prism(points, isWall ? Math.min(height, CUT_M) : height, !isWall), material)
  return new Group().add(mesh)
}

function flat(points: Point[], color: Color, above: number): Object3D {
  const mesh = new Mesh(new ShapeGeometry(outlineOf(points)), matte(color))
  mesh.receiveShadow = true
  mesh.position.z = above
  return new Group().add(mesh)
}

/** The top of a table, whose legs are shapes of their own. */
function board(points: Point[], color: Color, height: number): Group {
  const top = solid(prism(points, BOARD_M, true), matte(color))
  top.position.z = height - BOARD_M
  return new Group().add(top)
}

/** A board on legs at its corners. */
function table(points: Point[], color: Color, height: number): Object3D {
  const material = matte(color)
  const group = board(points, color, height)
  for (const [x, y] of points) {
    const away = Math.hypot(x, y)
    const inner = Math.max(0, 1 - LEG_M / Math.max(away, LEG_M))
    const leg = solid(new BoxGeometry(LEG_M, LEG_M, height - BOARD_M), material)
    leg.position.set(x * inner, y * inner, (height - BOARD_M) / 2)
    group.add(leg)
  }
  return group
}

/** Light on the floor, over all that lies flat. */
export function spot(points: Point[], color: string, opacity: number): Mesh {
  const material = new MeshBasicMaterial({ color, opacity, transparent: true, depthWrite: false })
  const mesh = new Mesh(new ShapeGeometry(outlineOf(points)), material)
  mesh.position.z = SPOT_M
  return mesh
}

/** The lower part of a window, as high as walls are cut. */
export function pane(from: Point, to: Point): Mesh {
  const material = new MeshStandardMaterial({ color: '#a9d6f2', opacity: 0.45, transparent: true })
  const mesh = new Mesh(
    new BoxGeometry(Math.hypot(to[0] - from[0], to[1] - from[1]), PANE_M, CUT_M),
    material,
  )
  mesh.position.set((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, CUT_M / 2)
  mesh.rotation.z = Math.atan2(to[1] - from[1], to[0] - from[0])
  return mesh
}

/** A person: a rounded coat and a head. */
export function person(color: Color, radius: number): Object3D {
  const coat = solid(new CylinderGeometry(radius * 0.55, radius * 0.95, 1.4, 20), matte(color))
  coat.rotation.x = Math.PI / 2
  coat.position.z = 0.7
  const head = solid(new CylinderGeometry(0.1, 0.1, 0.24, 16), matte('#e0b592'))
  head.rotation.x = Math.PI / 2
  head.position.z = 1.54
  const nose = solid(new BoxGeometry(0.05, 0.04, 0.05), matte('#d3a17c'))
  nose.position.set(0.11, 0, 1.54)
  return new Group().add(coat, head, nose)
}

/** A ring on the floor about what is chosen. */
export function ring(color: string): Mesh {
  const mesh = new Mesh(
    new CylinderGeometry(1, 1, 0.02, 40, 1, true),
    new MeshBasicMaterial({ color, side: DoubleSide }),
  )
  mesh.rotation.x = Math.PI / 2
  return mesh
}

/** Frees what a part of the scene holds on the graphics card. */
export function free(part: Object3D): void {
  part.traverse((it) => {
    if (!(it instanceof Mesh)) return
    ;(it.geometry as BufferGeometry).dispose()
    const material = it.material as Material | Material[]
    for (const one of Array.isArray(material) ? material : [material]) one.dispose()
  })
  part.removeFromParent()
}
