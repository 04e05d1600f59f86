// The frames that the map can be drawn in.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { get } from '../../api/http'
import type { TreeFrame, Shape, World } from '../../api/types'
import { robots } from '../../live/gateway'
import { type Data, text } from '../../live/read'
import { world } from '../../live/world'
import { placed } from './camera'
import { frame } from './options'
import { moved } from './shift'

/** The root of the tree, which is the simulated world's frame, too. */
export const WORLD = 'world'

export const tree = signal<TreeFrame[]>([])

/** Names to choose from: those of the site, then each robot's map. */
export function choices(known: Pick<TreeFrame, 'name'>[], names: string[]): string[] {
  const site = known.map(({ name }) => name).filter((name) => !name.includes('/'))
  return [...site, ...names.map((robot) => `${robot}/map`)]
}

/** The choices, read again when robots come and go. */
export function useFrames(): string[] {
  const names = robots.value.map(({ robot }) => robot)
  const joined = names.join('\n')
  useEffect(() => {
    get<{ frames: TreeFrame[] }>('/api/v1/frames').then(
      ({ frames }) => (tree.value = frames),
      () => undefined,
    )
  }, [joined])
  return choices(tree.value, names)
}

/** Whether the simulated world can be drawn: it is in the root. */
export const showsWorld = () => frame.value === null || frame.value === WORLD

/** The simulated world, if it is drawn. */
export const floor = () => (showsWorld() ? world.value : null)

/** Where a frame is in the world; null if it does not hang there. */
export function placement(known: TreeFrame[], name: string): { x: number; y: number; yaw: number } | null {
  let at = { x: 0, y: 0, yaw: 0 }
  for (let next: string | null = name; next !== WORLD;) {
    const found: TreeFrame | undefined = known.find((it) => it.name === next)
    if (!found) return null
    const [[x, y] = [0, 0]] = placed([[at.x, at.y]], found.x_m, found.y_m, found.yaw_rad)
    at = { x, y, yaw: at.yaw + found.yaw_rad }
    next = found.in
  }
  return at
}

/** The room and what stands in it, in another frame than the world's. */
export function elsewhere(known: TreeFrame[], name: string, { bounds_m, shapes }: World): Shape[] {
  const at = placement(known, name)
  if (!at) return []
  const [x0, y0, x1, y1] = bounds_m
  const room: Shape = {
    layer: 'floor',
    name: null,
    label: null,
    polygon_m: [
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ],
    circle: null,
    x_m: x0,
    y_m: y0,
    yaw_rad: 0,
    color: null,
    height_m: null,
    reality: 'R',
    movable: false,
  }
  return [room, ...shapes].map((shape) => {
    const [[x, y] = [0, 0]] = placed([[shape.x_m - at.x, shape.y_m - at.y]], 0, 0, -at.yaw)
    return moved(shape, [x, y], shape.yaw_rad - at.yaw)
  })
}

/** The simulated world as it stands in the frame that is drawn, if that is not the world's. */
export const shifted = () =>
  frame.value === null || showsWorld() || !world.value ? [] : elsewhere(tree.value, frame.value, world.value)

/** Whether coordinates are in the frame that is drawn. */
export const isDrawn = (data: Data | undefined, path = 'frame') => text(data, path) === (frame.value ?? 'map')
