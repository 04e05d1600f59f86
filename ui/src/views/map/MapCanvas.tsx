// The two canvases of the map: the ground below, drawn when it changes, and what moves above it.

import { useEffect, useRef } from 'preact/hooks'

import type { Shape } from '../../api/types'
import { theme } from '../../app/theme'
import { reach, simulated } from '../../live/gateway'
import { world } from '../../live/world'
import { drawActors, type Scene } from './actors'
import { bounds, centred, fit } from './camera'
import { drawGround } from './ground'
import { Hand, type Actions } from './hand'
import type { Hit } from './pick'
import { floor, shifted, tree } from './frames'
import { follow, fps, frame as chosenFrame, options, selected, shown } from './options'
import { palette } from './palette'
import { drawOwnMap, type OwnMap } from './ownmap'
import { ViewButtons } from './ViewButtons'

interface Props {
  /** What moves, as it is now. */
  scene: () => Scene
  ownMap: () => OwnMap | null
  actions: Actions
  label: string
}

export function MapCanvas({ scene, ownMap, actions, label }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const ground = useRef<HTMLCanvasElement>(null)
  const actors = useRef<HTMLCanvasElement>(null)
  const tool = useRef<Hand | null>(null)
  const live = useRef({ scene, ownMap, actions })
  live.current = { scene, ownMap, actions }

  useEffect(() => {
    const [frame, below, above] = [box.current, ground.current, actors.current]
    if (!frame || !below || !above) return
    let size = { width: 1, height: 1 }
    let stale = true
    let fitted = false
    const hand = new Hand(above, () => live.current.scene(), {
      click: (hit, at) => live.current.actions.click(hit, at),
      drop: (hit, at) => live.current.actions.drop(hit, at),
      canDrag: (hit) => live.current.actions.canDrag(hit),
    })
    tool.current = hand
    hand.onView = () => (stale = true)

    const resize = new ResizeObserver(() => {
      const ratio = window.devicePixelRatio
      size = { width: frame.clientWidth, height: frame.clientHeight }
      // A view that nobody chose shows all there is at any size.
      if (!hand.touched) fitted = false
      for (const canvas of [below, above]) {
        canvas.width = Math.round(size.width * ratio)
        canvas.height = Math.round(size.height * ratio)
      }
      stale = true
    })
    resize.observe(frame)
    // Whatever the ground depends on makes it stale.
    const watched = [theme, options, world, chosenFrame, tree].map((part) =>
      part.subscribe(() => (stale = true)),
    )
    // Another frame is another place.
    const stop = chosenFrame.subscribe(() => (fitted = hand.touched = false))
    watched.push(stop)

    let drawn = 0
    let counted = performance.now()
    let handle = 0
    const draw = () => {
      handle = requestAnimationFrame(draw)
      const now = live.current.scene()
      if (!fitted) fitted = fitAll(hand, now, size)
      if (follow.value && selected.value) {
        const body = now.bodies.find((it) => it.robot === selected.value)
        if (body) {
          hand.touched = true
          hand.look(centred(hand.camera, [body.x, body.y], size.width, size.height))
        }
      }
      const colors = palette()
      if (stale) {
        const ctx = start(below)
        if (ctx) {
          const things = new Set(now.now?.things.map((it) => `${it.layer}/${it.name}`))
          const moves = ({ layer, name }: Shape) => things.has(`${layer}/${name ?? ''}`)
          drawGround(ctx, hand.camera, colors, floor(), shifted(), moves, shown)
          const own = live.current.ownMap()
          if (own) drawOwnMap(ctx, hand.camera, colors, own)
        }
        stale = live.current.ownMap() !== null
      }
      const ctx = start(above)
      if (ctx) {
        ctx.clearRect(0, 0, size.width, size.height)
        const hands = {
          pointer: hand.pointer,
          hover: hand.under(),
          canDrag: (hit: Hit) => hand.canDrag(hit),
          dragged: hand.dragged,
        }
        drawActors(ctx, hand.camera, colors, now, hands, [size.width, size.height])
      }
      drawn += 1
      const at = performance.now()
      if (at - counted >= 1000) {
        fps.value = Math.round((drawn * 1000) / (at - counted))
        drawn = 0
        counted = at
      }
    }
    handle = requestAnimationFrame(draw)
    hand.fit = () => {
      hand.touched = false
      fitAll(hand, live.current.scene(), size)
    }
    return () => {
      cancelAnimationFrame(handle)
      resize.disconnect()
      for (const stop of watched) stop()
      hand.release()
    }
  }, [])

  return (
    <div class="canvases" ref={box}>
      <canvas ref={ground} aria-hidden="true" />
      <canvas ref={actors} role="img" aria-label={label} tabIndex={0} data-fps={fps.value} />
      <ViewButtons
        nearer={() => tool.current?.scale(1.4)}
        farther={() => tool.current?.scale(1 / 1.4)}
        all={() => tool.current?.fit()}
      />
    </div>
  )
}

function start(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const ctx = canvas.getContext('2d')
  const ratio = window.devicePixelRatio
  ctx?.setTransform(ratio, 0, 0, ratio, 0, 0)
  return ctx
}

/** Shows all there is; whether there is anything yet. */
function fitAll(hand: Hand, scene: Scene, size: { width: number; height: number }): boolean {
  // Robots may come before their world; the room is what shall be seen.
  if (reach.value !== 'up' || (simulated.value && !world.value)) return false
  const room = floor()?.bounds_m ?? bounds(scene.bodies.map((body) => [body.x, body.y]))
  if (!room || size.width < 2) return false
  const [x0, y0, x1, y1] = room
  const margin = floor() ? 0 : 2
  hand.keepWithin([x0, y0, x1, y1])
  hand.look(fit([x0 - margin, y0 - margin, x1 + margin, y1 + margin], size.width, size.height))
  return true
}
