// The room in 3-D: the same world, robots, plans and scans as on the flat map. Loaded when it is first wanted.

import { useEffect, useRef, useState } from 'preact/hooks'

import { theme } from '../../../app/theme'
import { world } from '../../../live/world'
import { Empty } from '../../../parts/Empty'
import type { Scene } from '../actors'
import { bounds } from '../camera'
import type { Actions } from '../hand'
import { floor } from '../frames'
import { follow, fps, frame as chosenFrame, options, selected, shown } from '../options'
import { palette } from '../palette'
import { ViewButtons } from '../ViewButtons'
import { Moving } from './moving'
import { buildRoom, type Room } from './room'
import { Senses } from './senses'
import { free } from './solids'
import { Stage } from './stage'
import { Touch } from './touch'

interface Props {
  scene: () => Scene
  actions: Actions
  label: string
}

type Bounds = [number, number, number, number]
const NOWHERE: Bounds = [-3, -3, 3, 3]

export function SolidMap({ scene, actions, label }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const stage = useRef<Stage | null>(null)
  const [missing, setMissing] = useState(false)
  const live = useRef({ scene, actions })
  live.current = { scene, actions }

  const all = (): Bounds =>
    floor()?.bounds_m ?? bounds(live.current.scene().bodies.map((it) => [it.x, it.y])) ?? NOWHERE

  useEffect(() => {
    const target = canvas.current
    const frame = target?.parentElement
    if (!target || !frame) return
    let made: Stage
    try {
      made = new Stage(target)
    } catch {
      setMissing(true)
      return
    }
    stage.current = made
    let [room, moving, senses] = [null as Room | null, null as Moving | null, null as Senses | null]
    const clear = () => {
      if (room) free(room.all)
      moving?.dispose()
      senses?.dispose()
    }
    let stale = true
    const build = () => {
      stale = false
      clear()
      const colors = palette()
      const shownFloor = floor()
      room = shownFloor && buildRoom(shownFloor, colors, shown)
      moving = new Moving(colors)
      senses = new Senses(colors)
      made.light(all(), colors.grid, theme.value === 'dark')
      if (room) made.scene.add(room.all)
      made.scene.add(moving.all, senses.all)
    }
    const watched = [theme, options, world, chosenFrame].map((part) => part.subscribe(() => (stale = true)))

    const resize = new ResizeObserver(() => {
      made.resize(Math.max(frame.clientWidth, 1), Math.max(frame.clientHeight, 1))
      if (!made.chosen) made.look(all())
    })
    resize.observe(frame)

    const touch = new Touch(target, made, {
      scene: () => live.current.scene(),
      moving: () => moving as Moving,
      standing: () => room?.standing ?? [],
      actions: () => live.current.actions,
    })

    let [drawn, counted, spent, handle, seen] = [0, performance.now(), 0, 0, floor()]
    const draw = () => {
      handle = requestAnimationFrame(draw)
      const begun = performance.now()
      if (stale) build()
      if (seen !== floor()) {
        seen = floor()
        if (!made.chosen) made.look(all())
      }
      const now = live.current.scene()
      moving?.update(now, room?.standing ?? [])
      senses?.update(now, made)
      const body = follow.value ? now.bodies.find((it) => it.robot === selected.value) : undefined
      if (body) made.follow([body.x, body.y])
      made.draw()
      drawn += 1
      const at = performance.now()
      spent += at - begun
      if (at - counted < 1000) return
      fps.value = Math.round((drawn * 1000) / (at - counted))
      target.dataset.msPerFrame = (spent / drawn).toFixed(2)
      ;[drawn, counted, spent] = [0, at, 0]
    }
    handle = requestAnimationFrame(draw)
    return () => {
      cancelAnimationFrame(handle)
      resize.disconnect()
      for (const stop of watched) stop()
      touch.release()
      clear()
      made.dispose()
      stage.current = null
    }
  }, [])

  if (missing) {
    return (
      <div class="nowhere">
        <Empty title="This browser draws no 3-D">
          It has no WebGL, or it is switched off. The flat map shows the same.
        </Empty>
      </div>
    )
  }
  return (
    <div class="canvases">
      <canvas ref={canvas} class="solid" role="img" aria-label={label} tabIndex={0} data-fps={fps.value} />
      <ViewButtons
        nearer={() => stage.current?.approach(true)}
        farther={() => stage.current?.approach(false)}
        all={() => stage.current?.look(all())}
      />
    </div>
  )
}
