// The 3-D view's light, camera and canvas. The world's axes are kept: x east, y north, z up, metres.

import {
  Color,
  DirectionalLight,
  HemisphereLight,
  MathUtils,
  PerspectiveCamera,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'

import type { Point } from '../camera'

/** Points of the screen for each of its own, at most: more cost time and show nothing. */
const FINEST = 2
const FIELD_OF_VIEW = 42
/** How steeply it looks down at first, radians. */
const TILT = 1
/** The corners of a room come this near to the edge of the picture. */
const EDGE = 0.95
const NEAREST = 0.4
const FARTHEST = 150
const NEARER = 0.72
const SHADOWS = 2048

export class Stage {
  readonly scene = new Scene()
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.05, 500)
  readonly controls: OrbitControls
  /** Of the canvas, in points of the screen. */
  readonly size = new Vector2(1, 1)
  /** Whether somebody chose this view, which then stays when the room or the window changes. */
  chosen = false
  private readonly renderer: WebGLRenderer
  private readonly sun = new DirectionalLight('#fff1d8', 2.4)
  private readonly sky = new HemisphereLight('#eef4ff', '#8d8272', 1.5)

  /** Throws where there is no WebGL. */
  constructor(canvas: HTMLCanvasElement) {
    const card = hasGraphicsCard()
    this.renderer = new WebGLRenderer({ canvas, antialias: card })
    this.renderer.shadowMap.enabled = card
    this.camera.up.set(0, 0, 1)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = true
    this.controls.maxPolarAngle = MathUtils.degToRad(88)
    this.controls.minDistance = NEAREST
    this.controls.maxDistance = FARTHEST
    this.controls.listenToKeyEvents(canvas)
    this.controls.addEventListener('start', () => (this.chosen = true))
    this.sky.position.set(0, 0, 1)
    this.sun.castShadow = true
    this.sun.shadow.mapSize.set(SHADOWS, SHADOWS)
    this.sun.shadow.bias = -0.0005
    this.sun.shadow.normalBias = 0.02
    this.scene.add(this.sky, this.sun, this.sun.target)
  }

  /** Lights a room of these bounds; a dark page has a dim room. */
  light([x0, y0, x1, y1]: [number, number, number, number], background: string, dark: boolean): void {
    this.scene.background = new Color(background)
    this.sun.intensity = dark ? 1.4 : 2.4
    this.sky.intensity = dark ? 1.1 : 1.5
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
    const reach = Math.hypot(x1 - x0, y1 - y0) / 2
    this.sun.target.position.set(x, y, 0)
    this.sun.position.set(x - reach, y + 0.6 * reach, 1.6 * reach)
    const box = this.sun.shadow.camera
    box.left = box.bottom = -reach
    box.right = box.top = reach
    box.near = 0.1
    box.far = 4 * reach
    box.updateProjectionMatrix()
  }

  /** Shows all of a room: as near as its corners stay within the picture. */
  look([x0, y0, x1, y1]: [number, number, number, number]): void {
    const { camera, controls } = this
    this.chosen = false
    const corners: Point[] = [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ]
    controls.target.set((x0 + x1) / 2, (y0 + y1) / 2, 0)
    let far = Math.hypot(x1 - x0, y1 - y0) / 4
    for (;;) {
      camera.position.set(controls.target.x, controls.target.y - far * Math.cos(TILT), far * Math.sin(TILT))
      camera.lookAt(controls.target)
      camera.updateMatrixWorld()
      const seen = corners.map(([x, y]) => new Vector3(x, y, 0).project(camera))
      if (far > FARTHEST || seen.every(({ x, y, z }) => Math.max(Math.abs(x), Math.abs(y)) < EDGE && z < 1))
        return
      far *= 1.04
    }
  }

  /** Comes nearer to what it looks at, or goes away from it. */
  approach(nearer: boolean): void {
    const { camera, controls } = this
    this.chosen = true
    const away = camera.position.clone().sub(controls.target)
    away.setLength(MathUtils.clamp(away.length() * (nearer ? NEARER : 1 / NEARER), NEAREST, FARTHEST))
    camera.position.copy(controls.target).add(away)
  }

  /** Looks at a place, from where it looks now. */
  follow([x, y]: Point): void {
    this.chosen = true
    const way = new Vector3(x, y, 0).sub(this.controls.target)
    this.controls.target.add(way)
    this.camera.position.add(way)
  }

  resize(width: number, height: number): void {
    this.size.set(width, height)
    this.camera.aspect = width / height
    this.camera.updateProjectionMatrix()
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, FINEST))
    this.renderer.setSize(width, height, false)
  }

  draw(): void {
    this.controls.update()
    this.renderer.render(this.scene, this.camera)
  }

  dispose(): void {
    this.controls.dispose()
    this.sun.shadow.dispose()
    this.renderer.dispose()
  }
}

/** Whether a graphics card draws. Without one, soft edges and shadows take most of the time. */
function hasGraphicsCard(): boolean {
  const gl = document.createElement('canvas').getContext('webgl')
  const told = gl?.getExtension('WEBGL_debug_renderer_info')
  const name = String(gl?.getParameter(told?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER))
  gl?.getExtension('WEBGL_lose_context')?.loseContext()
  return !/swiftshader|llvmpipe|softpipe|software/i.test(name)
}
