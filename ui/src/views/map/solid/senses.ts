// What robots measure and intend: points of scanners, planned ways, and names above everything.

import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Float32BufferAttribute,
  Group,
  LinearFilter,
  MathUtils,
  Points,
  PointsMaterial,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
} from 'three'
import { Line2 } from 'three/addons/lines/Line2.js'
import { LineGeometry } from 'three/addons/lines/LineGeometry.js'
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'

import { figures } from '../../../live/gateway'
import type { Scene } from '../actors'
import { robotColor } from '../hues'
import type { Palette } from '../palette'
import { css } from './moving'
import type { Stage } from './stage'

const SCAN_M = 0.2
const PLAN_M = 0.03
const NAME_PX = 20
const ABOVE_M = 0.18
const PERSON_M = 1.85

export class Senses {
  readonly all = new Group()
  private readonly scan: Points<BufferGeometry, PointsMaterial>
  private readonly ways = new Map<string, Line2>()
  private readonly names = new Map<string, Sprite>()

  constructor(private readonly colors: Palette) {
    const material = new PointsMaterial({ color: colors.scan, size: 3, sizeAttenuation: false })
    this.scan = new Points(new BufferGeometry(), material)
    this.scan.frustumCulled = false
    this.all.add(this.scan)
  }

  update(scene: Scene, stage: Stage): void {
    this.drawScans(scene)
    this.drawPlans(scene)
    this.drawNames(scene, stage)
  }

  dispose(): void {
    this.scan.geometry.dispose()
    this.scan.material.dispose()
    for (const way of this.ways.values()) drop(way)
    for (const name of this.names.values()) forget(name)
    this.all.removeFromParent()
  }

  private drawScans({ scans }: Scene): void {
    const points = scans.flatMap((scan) => scan.flatMap(([x, y]) => [x, y, SCAN_M]))
    const { geometry } = this.scan
    const known = geometry.attributes.position
    if (known instanceof BufferAttribute && known.array.length === points.length) {
      known.set(points)
      known.needsUpdate = true
    } else {
      // A buffer cannot grow.
      geometry.dispose()
      geometry.setAttribute('position', new Float32BufferAttribute(points, 3))
    }
    this.scan.visible = points.length > 0
  }

  private drawPlans({ plans, bodies }: Scene): void {
    const here = new Set<string>()
    for (const { robot, points, local } of plans) {
      const key = `${robot} ${local ? 'local' : 'global'}`
      here.add(key)
      let way = this.ways.get(key)
      if (!way) {
        const family = bodies.find((it) => it.robot === robot)?.family ?? ''
        const color = css(robotColor(this.colors, robot, family))
        way = new Line2(new LineGeometry(), new LineMaterial({ color, linewidth: local ? 5 : 3 }))
        way.frustumCulled = false
        this.ways.set(key, way)
        this.all.add(way)
      }
      // A buffer cannot grow, and a way has other points with every turn.
      way.geometry.dispose()
      way.geometry = new LineGeometry().setPositions(points.flatMap(([x, y]) => [x, y, PLAN_M]))
    }
    for (const [key, way] of this.ways) {
      if (here.has(key)) continue
      drop(way)
      this.ways.delete(key)
    }
  }

  private drawNames(scene: Scene, stage: Stage): void {
    const here = new Set<string>()
    const put = (text: string, x: number, y: number, z: number) => {
      here.add(text)
      const sprite = this.names.get(text) ?? this.name(text)
      sprite.position.set(x, y, z)
      const high = (2 * Math.tan(MathUtils.degToRad(stage.camera.fov) / 2) * NAME_PX) / stage.size.y
      sprite.scale.set(high * (sprite.userData.wide as number), high, 1)
    }
    for (const body of scene.bodies) {
      if (!scene.names && body.robot !== scene.selected) continue
      const above = (figures.value[body.family]?.height_m ?? 0.3) + ABOVE_M
      put(body.stale ? `${body.robot} (no news)` : body.robot, body.x, body.y, above)
    }
    if (scene.names && scene.people) {
      for (const { name, x_m, y_m } of scene.now?.people ?? []) if (name) put(name, x_m, y_m, PERSON_M)
    }
    for (const [text, sprite] of this.names) {
      if (here.has(text)) continue
      forget(sprite)
      this.names.delete(text)
    }
  }

  private name(text: string): Sprite {
    const sprite = written(text, this.colors)
    this.names.set(text, sprite)
    this.all.add(sprite)
    return sprite
  }
}

/** A name on a plate, which faces the camera and keeps its size on the screen. */
function written(text: string, colors: Palette): Sprite {
  const canvas = document.createElement('canvas')
  const ctx = canvas.getContext('2d')
  const font = `600 34px ${colors.font}`
  if (ctx) {
    ctx.font = font
    canvas.width = Math.ceil(ctx.measureText(text).width) + 36
    canvas.height = 56
    ctx.font = font
    ctx.fillStyle = colors.panel
    ctx.globalAlpha = 0.86
    ctx.beginPath()
    ctx.roundRect(0, 0, canvas.width, canvas.height, 16)
    ctx.fill()
    ctx.globalAlpha = 1
    ctx.fillStyle = colors.ink
    ctx.textBaseline = 'middle'
    ctx.fillText(text, 18, 30)
  }
  const map = new CanvasTexture(canvas)
  map.colorSpace = SRGBColorSpace
  map.minFilter = LinearFilter
  const sprite = new Sprite(new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false }))
  sprite.renderOrder = 1
  sprite.userData.wide = canvas.width / canvas.height
  return sprite
}

function forget(sprite: Sprite): void {
  sprite.material.map?.dispose()
  sprite.material.dispose()
  sprite.removeFromParent()
}

function drop(way: Line2): void {
  way.geometry.dispose()
  way.material.dispose()
  way.removeFromParent()
}
