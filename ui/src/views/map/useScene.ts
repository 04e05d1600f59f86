// What the map draws, from the world's stream and from what robots publish of themselves.

import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import type { Feed } from '../../api/feed'
import { useFeed } from '../../api/feeds'
import type { WorldNow } from '../../api/types'
import { robots, simulated } from '../../live/gateway'
import { list, number, text } from '../../live/read'
import { useWorldFeed } from '../../live/world'
import type { Scene } from './actors'
import type { Point } from './camera'
import { floor, isDrawn, showsWorld } from './frames'
import { frame, options, selected } from './options'
import { ownMap, type OwnMap } from './ownmap'
import { plans } from './plans'
import { believed, bodies, scanPoints } from './scene'
import { Trails } from './trails'

/** A selection that selects nothing, for feeds that are switched off. */
const NOTHING = 'nobody/link'

export interface Sources {
  /** What moves in the world. */
  now: ReadonlySignal<WorldNow | null>
  poses: Feed
  scene: () => Scene
  ownMap: () => OwnMap | null
}

export function useScene(): Sources {
  const { scans, paths, objects, ghosts, ownMap: own } = options.value
  const robot = selected.value
  const to = frame.value ?? undefined
  const now = useWorldFeed('33ms')
  const anyConnected = robots.value.some((it) => it.origin === 'connected')
  const poses = useFeed({
    select: ghosts || anyConnected || !simulated.value || to !== undefined ? '*/pose' : NOTHING,
    pick: 'x_m,y_m,yaw_rad,frame',
    in: to,
    every: '100ms',
    batch: '100ms',
  })
  const who = scans === 'all' ? '*' : robot
  const scan = useFeed({
    select: scans === 'none' || !who ? NOTHING : `${who}/scan/**,${who}/point_cloud/**`,
    in: to,
    every: '200ms',
    batch: '100ms',
  })
  const path = useFeed({
    select: paths ? '*/path/**,*/navigation' : NOTHING,
    in: to,
    every: '250ms',
    batch: '250ms',
  })
  const seen = useFeed({
    select: objects ? `${robot ?? '*'}/objects` : NOTHING,
    in: to,
    every: '250ms',
    batch: '250ms',
  })
  const grid = useFeed({
    select: own && robot ? `${robot}/map/**` : NOTHING,
    in: to,
    every: '1s',
    batch: '1s',
    bytes: 'base64',
  })
  const outlines = useFeed({ select: '*/footprint', every: '1s', batch: '1s' })

  const trails = useRef(new Trails())
  useEffect(
    () =>
      now.subscribe((moving) => {
        for (const it of moving?.robots ?? []) trails.current.add(it.robot, [it.x_m, it.y_m])
        if (moving)
          trails.current.keep(
            new Set([...moving.robots.map((it) => it.robot), ...robots.value.map((it) => it.robot)]),
          )
      }),
    [now],
  )

  const scene = (): Scene => {
    const moving = showsWorld() ? now.value : null
    const everyone = bodies(moving, poses, outlines)
    for (const body of everyone) if (body.known === 'own') trails.current.add(body.robot, [body.x, body.y])
    return {
      now: moving,
      bodies: everyone,
      ghosts: ghosts ? believed(poses) : [],
      trails: options.value.trails && frame.value === null ? trails.current : null,
      scans: [...scan.values.values()].map(({ update }) => scanPoints(update.data)),
      plans: plans(path, everyone, performance.now()),
      objects: detected(seen),
      selected: selected.value,
      shapes: floor()?.shapes ?? [],
      names: options.value.names,
      people: options.value.people,
    }
  }

  const drawn = useRef<{ sequence: number; map: OwnMap | null }>({ sequence: -1, map: null })
  const readOwnMap = (): OwnMap | null => {
    const newest = own ? [...grid.values.values()].at(-1)?.update : undefined
    if (!newest) return null
    if (newest.sequence !== drawn.current.sequence) {
      drawn.current = { sequence: newest.sequence, map: ownMap(newest.data) }
    }
    return drawn.current.map
  }

  return { now, poses, scene, ownMap: readOwnMap }
}

/** What robots detect, where they say that it is on the map. */
function detected(seen: Feed): Scene['objects'] {
  return [...seen.values.values()].flatMap(({ update }) =>
    list(update.data, 'objects').flatMap((it) => {
      const [x, y] = [number(it, 'pose.x_m'), number(it, 'pose.y_m')]
      const name = text(it, 'label') ?? text(it, 'class') ?? 'thing'
      return x === null || y === null || !isDrawn(it, 'pose.frame') ? [] : [{ at: [x, y] as Point, name }]
    }),
  )
}
