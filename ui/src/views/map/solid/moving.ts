// What moves: robots with what their cameras see, people, doors, pushed things.

import {
  BoxGeometry,
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Mesh,
  MeshStandardMaterial,
  type Object3D,
  SRGBColorSpace,
} from 'three'

import type { FigurePart, WorldNow } from '../../../api/types'
import { figures } from '../../../live/gateway'
import type { Scene } from '../actors'
import { robotColor } from '../hues'
import type { Palette } from '../palette'
import type { Body } from '../scene'
import type { Standing } from './room'
import { free, matte, person, prism, ring, solid } from './solids'

const DOOR_M = 1.1
const NO_HEIGHT_M = 0.2
/** How far the picture of a camera's view reaches. */
const SIGHT_M = 0.8
/** A camera's picture is this much lower than wide. */
const ASPECT = 3 / 4

interface Actor {
  /** What it was made of; made anew when that changes. */
  key: string
  part: Object3D
}

export class Moving {
  readonly all = new Group()
  private readonly actors = new Map<string, Actor>()
  private readonly chosen: Mesh

  constructor(private readonly colors: Palette) {
    this.chosen = ring(colors.accent)
    this.all.add(this.chosen)
  }

  /** Places everything where it is now. */
  update(scene: Scene, standing: Standing[]): void {
    const here = new Set<string>()
    for (const body of scene.bodies) this.robot(body, here)
    for (const it of scene.people ? (scene.now?.people ?? []) : []) this.person(it, here)
    for (const it of scene.now?.doors ?? []) this.door(it, here)
    for (const thing of scene.now?.things ?? []) {
      const found = standing.find(({ shape }) => shape.layer === thing.layer && shape.name === thing.name)
      found?.body.position.setX(thing.x_m).setY(thing.y_m)
      if (found) found.body.rotation.z = thing.yaw_rad
    }
    for (const [name, { part }] of this.actors) {
      if (here.has(name)) continue
      free(part)
      this.actors.delete(name)
    }
    const body = scene.bodies.find((it) => it.robot === scene.selected)
    this.chosen.visible = body !== undefined
    if (!body) return
    const reach = Math.max(...body.outline.map(([x, y]) => Math.hypot(x, y))) + 0.08
    this.chosen.position.set(body.x, body.y, 0.02)
    this.chosen.scale.set(reach, 1, reach)
  }

  dispose(): void {
    free(this.all)
  }

  private actor(name: string, key: string, here: Set<string>, make: () => Object3D): Object3D {
    here.add(name)
    const known = this.actors.get(name)
    if (known?.key === key) return known.part
    if (known) free(known.part)
    const part = make()
    this.actors.set(name, { key, part })
    this.all.add(part)
    return part
  }

  private robot(body: Body, here: Set<string>): void {
    const figure = figures.value[body.family]
    const color = robotColor(this.colors, body.robot, body.family)
    const key = [color, figure?.height_m, body.stale, body.outline.join()].join('|')
    const part = this.actor(`robot ${body.robot}`, key, here, () =>
      robot(body, color, figure?.height_m ?? NO_HEIGHT_M, figure?.parts ?? []),
    )
    part.position.set(body.x, body.y, 0)
    part.rotation.z = body.yaw
    part.userData.robot = body.robot
  }

  private person(it: WorldNow['people'][number], here: Set<string>): void {
    const name = it.name ?? `${it.x_m}`
    const [r, g, b] = it.color.map((part) => part / 255) as [number, number, number]
    const color = new Color().setRGB(r, g, b, SRGBColorSpace)
    const part = this.actor(`person ${name}`, color.getHexString(), here, () => person(color, it.radius_m))
    part.position.set(it.x_m, it.y_m, 0)
    part.rotation.z = it.yaw_rad
    part.userData.person = it.name
  }

  private door({ name, state, polygon_m }: WorldNow['doors'][number], here: Set<string>): void {
    if (polygon_m.length < 3) return
    const part = this.actor(`door ${name}`, polygon_m.join(), here, () =>
      solid(prism(polygon_m, DOOR_M), matte('#b8864b')),
    )
    part.userData.door = { name, state }
  }
}

function robot(body: Body, color: string, height: number, parts: FigurePart[]): Object3D {
  const group = new Group()
  const material = new MeshStandardMaterial({ color: css(color), roughness: 0.5 })
  material.transparent = body.stale
  material.opacity = body.stale ? 0.4 : 1
  group.add(solid(prism(body.outline, height, true), material))
  // A nose, so that the heading shows from every side.
  const front = Math.max(...body.outline.map(([x]) => x))
  const nose = solid(new BoxGeometry(front * 0.5, front * 0.34, height * 0.12), matte('#f7f5ef'))
  nose.position.set(front * 0.72, 0, height * 0.97)
  group.add(nose)
  for (const part of parts) if (part.kind === 'image') group.add(sight(part, color))
  return group
}

/** The pyramid that a camera sees. */
function sight({ x_m, y_m, z_m, yaw_rad, field_of_view_rad }: FigurePart, color: string): Object3D {
  const wide = SIGHT_M * Math.tan(Math.min(field_of_view_rad ?? 1, 2.4) / 2)
  const high = wide * ASPECT
  const corners = [
    [wide, high],
    [-wide, high],
    [-wide, -high],
    [wide, -high],
  ] as const
  const points: number[] = []
  corners.forEach(([y, z], at) => {
    const [nextY, nextZ] = corners[(at + 1) % corners.length] as readonly [number, number]
    points.push(0, 0, 0, SIGHT_M, y, z, SIGHT_M, y, z, SIGHT_M, nextY, nextZ)
  })
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new Float32BufferAttribute(points, 3))
  const material = new LineBasicMaterial({ color: css(color), transparent: true, opacity: 0.45 })
  const lines = new LineSegments(geometry, material)
  lines.position.set(x_m, y_m, z_m)
  lines.rotation.z = yaw_rad
  return lines
}

/** Colours of the page as three.js reads them: with commas. */
export const css = (color: string) => color.replace(/(\d%?) (?=\d)/g, '$1, ')
