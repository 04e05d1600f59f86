// The frames that the map can be drawn in.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

import { get } from '../../api/http'
import type { Data, FrameOfTree } from '../../api/types'
import { robots } from '../../live/gateway'
import { text } from '../../live/read'
import { world } from '../../live/world'
import { frame } from './options'

/** The root of the tree, which is the simulated world's frame, too. */
export const WORLD = 'world'

const tree = signal<FrameOfTree[]>([])

/** Names to choose from: those of the site, then each robot's map. */
export function choices(known: Pick<FrameOfTree, 'name'>[], names: string[]): string[] {
  const site = known.map(({ name }) => name).filter((name) => !name.includes('/'))
  return [...site, ...names.map((robot) => `${robot}/map`)]
}

/** The choices, read again when robots come and go. */
export function useFrames(): string[] {
  const names = robots.value.map(({ robot }) => robot)
  const joined = names.join('\n')
  useEffect(() => {
    get<{ frames: FrameOfTree[] }>('/api/v1/frames').then(
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

/** Whether coordinates are in the frame that is drawn. */
export const isDrawn = (data: Data | undefined, path = 'frame') => text(data, path) === (frame.value ?? 'map')
