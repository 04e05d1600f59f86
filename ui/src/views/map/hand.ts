// The pointer on the map: moves and scales the view, picks things, drags those that can be dragged.

import { select } from 'd3-selection'
import { zoom, type ZoomBehavior, zoomIdentity, type ZoomTransform } from 'd3-zoom'

import { world } from '../../live/world'
import type { Scene } from './actors'
import { type Camera, type Point, toWorld } from './camera'
import type { Dragged } from './handles'
import { options, placing } from './options'
import { type Hit, pick } from './pick'

export interface Actions {
  click: (hit: Hit | null, at: Point) => void
  drop: (hit: Hit, at: Point) => void
  canDrag: (hit: Hit) => boolean
}

/** A pointer that moved less was a click. */
const CLICK = 5
const PAN = 60

export class Hand {
  camera: Camera = { k: 40, x: 0, y: 0 }
  dragged: Dragged | null = null
  /** Where a mouse is on the canvas. */
  pointer: Point | null = null
  /** Whether somebody chose this view. */
  touched = false
  onView: () => void = () => undefined
  fit: () => void = () => undefined
  private held: { hit: Hit; from: Point; start: Point; moved: boolean; pointer: number } | null = null
  private readonly behaviour: ZoomBehavior<HTMLCanvasElement, unknown>
  private readonly off: () => void
  private down: Point | null = null

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly scene: () => Scene,
    private readonly actions: Actions,
  ) {
    this.behaviour = zoom<HTMLCanvasElement, unknown>()
      .scaleExtent([2, 1500])
      .filter(
        (event: MouseEvent) =>
          this.held === null && (!event.ctrlKey || event.type === 'wheel') && !event.button,
      )
      .on('zoom', (event: { transform: ZoomTransform }) => {
        const { k, x, y } = event.transform
        this.touched = true
        this.camera = { k, x, y }
        this.onView()
      })
    select(canvas).call(this.behaviour).on('dblclick.zoom', null)
    const listeners: [string, (event: never) => void][] = [
      ['pointerdown', this.press.bind(this)],
      ['pointermove', this.move.bind(this)],
      ['pointerup', this.lift.bind(this)],
      ['pointercancel', this.drop.bind(this)],
      ['pointerleave', this.leave.bind(this)],
      ['keydown', this.key.bind(this)],
    ]
    for (const [name, listener] of listeners) canvas.addEventListener(name, listener as EventListener, true)
    this.off = () => {
      for (const [name, listener] of listeners)
        canvas.removeEventListener(name, listener as EventListener, true)
      select(canvas).on('.zoom', null)
    }
  }

  /** Looks elsewhere, without telling the zoom behaviour's listeners twice. */
  look(camera: Camera): void {
    this.camera = camera
    const transform = zoomIdentity.translate(camera.x, camera.y).scale(camera.k)
    select(this.canvas).property('__zoom', transform)
    this.onView()
  }

  scale(factor: number): void {
    this.behaviour.scaleBy(select(this.canvas), factor)
  }

  /** The view may leave a room by its own size, so that it can be found again. */
  keepWithin([x0, y0, x1, y1]: [number, number, number, number]): void {
    const slack = Math.max(x1 - x0, y1 - y0)
    this.behaviour.translateExtent([
      [x0 - slack, -y1 - slack],
      [x1 + slack, -y0 + slack],
    ])
  }

  release(): void {
    this.off()
  }

  /** What is under the pointer now: robots move below it. */
  under(): Hit | null {
    return this.pointer && this.at(toWorld(this.camera, this.pointer))
  }

  canDrag(hit: Hit): boolean {
    return this.actions.canDrag(hit)
  }

  private place(event: PointerEvent): Point {
    return toWorld(this.camera, [event.offsetX, event.offsetY])
  }

  private at(place: Point): Hit | null {
    const { bodies, now } = this.scene()
    return pick(place, this.camera, bodies, now, world.value?.shapes ?? [], options.value.people)
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return
    this.down = [event.offsetX, event.offsetY]
    const start = this.place(event)
    // A thing that is being placed goes where the floor is clicked, even on a robot.
    const hit = placing.value === null ? this.at(start) : null
    if (hit && this.actions.canDrag(hit)) {
      this.held = { hit, from: this.down, start, moved: false, pointer: event.pointerId }
      this.canvas.setPointerCapture(event.pointerId)
    }
  }

  private move(event: PointerEvent): void {
    this.pointer = event.pointerType === 'mouse' ? [event.offsetX, event.offsetY] : null
    if (!this.held) {
      this.canvas.style.cursor = this.cursor(this.at(this.place(event)))
      return
    }
    if (event.pointerId !== this.held.pointer) return
    const [x, y] = this.held.from
    this.held.moved ||= Math.hypot(event.offsetX - x, event.offsetY - y) > CLICK
    if (!this.held.moved) return
    this.canvas.style.cursor = 'grabbing'
    this.dragged = { hit: this.held.hit, from: this.held.start, at: this.place(event) }
  }

  private cursor(hit: Hit | null): string {
    if (placing.value !== null) return 'crosshair'
    if (!hit) return ''
    return this.actions.canDrag(hit) ? 'grab' : 'pointer'
  }

  private leave(): void {
    if (!this.held) this.pointer = null
  }

  private lift(event: PointerEvent): void {
    const held = this.held
    const at = this.place(event)
    const [x, y] = this.down ?? [Infinity, 0]
    const clicked = Math.hypot(event.offsetX - x, event.offsetY - y) <= CLICK
    this.drop()
    if (held?.moved) this.actions.drop(held.hit, at)
    else if (clicked) this.actions.click(held?.hit ?? this.at(at), at)
  }

  private drop(): void {
    if (this.dragged) this.canvas.style.cursor = ''
    this.held = null
    this.dragged = null
    this.down = null
  }

  private key(event: KeyboardEvent): void {
    const target = select(this.canvas)
    const pans: Record<string, Point> = {
      ArrowLeft: [PAN, 0],
      ArrowRight: [-PAN, 0],
      ArrowUp: [0, PAN],
      ArrowDown: [0, -PAN],
    }
    const pan = pans[event.key]
    if (pan) this.behaviour.translateBy(target, pan[0] / this.camera.k, pan[1] / this.camera.k)
    else if (event.key === '+' || event.key === '=') this.behaviour.scaleBy(target, 1.3)
    else if (event.key === '-') this.behaviour.scaleBy(target, 1 / 1.3)
    else if (event.key === '0') this.fit()
    else return
    event.preventDefault()
  }
}
