// The pointer in the 3-D view: it chooses, drags and places as on the flat map.

import { Plane, Raycaster, Vector2, Vector3 } from 'three'

import type { Scene } from '../actors'
import type { Point } from '../camera'
import type { Actions } from '../hand'
import type { Hit } from '../pick'
import { placing } from '../options'
import type { Moving } from './moving'
import type { Standing } from './room'
import type { Stage } from './stage'

const FLOOR = new Plane(new Vector3(0, 0, 1), 0)
/** A pointer that moved less was a click. */
const CLICK = 5

export interface Touched {
  scene: () => Scene
  moving: () => Moving
  standing: () => Standing[]
  actions: () => Actions
}

export class Touch {
  private held: { hit: Hit; pointer: number } | null = null
  private down: Point | null = null
  private readonly ray = new Raycaster()

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly stage: Stage,
    private readonly touched: Touched,
  ) {
    // Before the controls of the view, which would turn it.
    canvas.addEventListener('pointerdown', this.press, true)
    canvas.addEventListener('pointermove', this.move)
    canvas.addEventListener('pointerup', this.lift)
    canvas.addEventListener('pointercancel', this.drop)
  }

  release(): void {
    this.canvas.removeEventListener('pointerdown', this.press, true)
    this.canvas.removeEventListener('pointermove', this.move)
    this.canvas.removeEventListener('pointerup', this.lift)
    this.canvas.removeEventListener('pointercancel', this.drop)
  }

  private readonly press = (event: PointerEvent) => {
    if (event.button !== 0) return
    this.down = [event.offsetX, event.offsetY]
    const hit = placing.value === null ? this.under(event) : null
    if (!hit || !this.touched.actions().canDrag(hit)) return
    this.held = { hit, pointer: event.pointerId }
    this.stage.controls.enabled = false
    this.canvas.setPointerCapture(event.pointerId)
  }

  private readonly move = (event: PointerEvent) => {
    if (this.held || event.buttons !== 0) return
    const hit = this.under(event)
    const grabs = hit !== null && this.touched.actions().canDrag(hit)
    this.canvas.style.cursor = placing.value !== null ? 'crosshair' : grabs ? 'grab' : hit ? 'pointer' : ''
  }

  private readonly lift = (event: PointerEvent) => {
    const [held, down] = [this.held, this.down]
    this.drop()
    const at = this.floor(event)
    if (!down || !at) return
    const clicked = Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) <= CLICK
    if (clicked) this.touched.actions().click(held?.hit ?? this.under(event), at)
    else if (held) this.touched.actions().drop(held.hit, at)
  }

  private readonly drop = () => {
    this.held = null
    this.down = null
    this.stage.controls.enabled = true
  }

  private aim(event: PointerEvent): void {
    const { x, y } = this.stage.size
    this.ray.setFromCamera(
      new Vector2((event.offsetX / x) * 2 - 1, 1 - (event.offsetY / y) * 2),
      this.stage.camera,
    )
  }

  /** Where it points at the floor. */
  private floor(event: PointerEvent): Point | null {
    this.aim(event)
    const at = this.ray.ray.intersectPlane(FLOOR, new Vector3())
    return at && [at.x, at.y]
  }

  /** What it points at. */
  private under(event: PointerEvent): Hit | null {
    this.aim(event)
    const standing = this.touched.standing()
    const parts = [this.touched.moving().all, ...standing.map(({ body }) => body)]
    for (const { object } of this.ray.intersectObjects(parts)) {
      const hit = this.hitOf(object, standing)
      if (hit) return hit
    }
    return null
  }

  private hitOf(object: { parent: unknown } | null, standing: Standing[]): Hit | null {
    for (let part = object as import('three').Object3D | null; part; part = part.parent) {
      const { robot, person, door } = part.userData as {
        robot?: string
        person?: string
        door?: { name: string; state: string }
      }
      const body = robot && this.touched.scene().bodies.find((it) => it.robot === robot)
      if (body) return { what: 'robot', body }
      if (person) return { what: 'person', name: person }
      if (door) return { what: 'door', ...door }
      const found = standing.find((it) => it.body === part)
      if (found) {
        const hit: Hit = { what: 'shape', shape: found.shape }
        return this.touched.actions().canDrag(hit) ? hit : null
      }
    }
    return null
  }
}
