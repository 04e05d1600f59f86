// The room from above: where robots are and are heading, what they sense, and hands to move things.

import './map.css'

import { useEffect, useMemo, useRef } from 'preact/hooks'

import type { Feed } from '../../api/feed'
import { useFeed } from '../../api/feeds'
import { poke, post } from '../../api/http'
import { figures, reach, robots, simulated } from '../../live/gateway'
import { list, number, text } from '../../live/read'
import { useWorldFeed, world } from '../../live/world'
import { Empty } from '../../parts/Empty'
import { attempt, say } from '../../parts/toast'
import type { Scene } from './actors'
import type { Point } from './camera'
import type { Actions } from './hand'
import { LayerPanel } from './LayerPanel'
import { MapCanvas } from './MapCanvas'
import { lying, thingOf } from './objects'
import { chosenThing, options, placing, selected } from './options'
import type { Hit } from './pick'
import { ownMap, type OwnMap } from './ownmap'
import { RobotCard } from './RobotCard'
import { believed, bodies, scanPoints } from './scene'
import { ThingCard } from './ThingCard'
import { Trails } from './trails'

/** A selection that selects nothing, for feeds that are switched off. */
const NOTHING = 'nobody/link'

export function MapView() {
  const { scans, paths, objects, ghosts, ownMap: own } = options.value
  const robot = selected.value
  const now = useWorldFeed('33ms')
  const anyConnected = robots.value.some((it) => it.origin === 'connected')
  const poses = useFeed({
    select: ghosts || anyConnected || !simulated.value ? '*/pose' : NOTHING,
    pick: 'x_m,y_m,yaw_rad,frame',
    every: '100ms',
    batch: '100ms',
  })
  const who = scans === 'all' ? '*' : robot
  const scan = useFeed({
    select: scans === 'none' || !who ? NOTHING : `${who}/scan/**,${who}/point_cloud/**`,
    every: '200ms',
    batch: '100ms',
  })
  const path = useFeed({ select: paths ? '*/path/**' : NOTHING, every: '250ms', batch: '250ms' })
  const seen = useFeed({
    select: objects ? `${robot ?? '*'}/objects` : NOTHING,
    every: '250ms',
    batch: '250ms',
  })
  const grid = useFeed({
    select: own && robot ? `${robot}/map/**` : NOTHING,
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
    const everyone = bodies(now.value, poses, outlines)
    for (const body of everyone) if (body.known === 'own') trails.current.add(body.robot, [body.x, body.y])
    return {
      now: now.value,
      bodies: everyone,
      ghosts: ghosts ? believed(poses) : [],
      trails: options.value.trails ? trails.current : null,
      scans: [...scan.values.values()].map(({ update }) => scanPoints(update.data)),
      paths: [...path.values.values()]
        .filter(({ update }) => update.part !== 'trajectory')
        .map(({ update }) => ({
          points: list(update.data, 'points_m') as unknown as Point[],
          local: update.part === 'local',
        })),
      objects: [...seen.values.values()].flatMap(({ update }) =>
        list(update.data, 'objects').flatMap((it) => {
          const [x, y] = [number(it, 'pose.x_m'), number(it, 'pose.y_m')]
          const name = text(it, 'label') ?? text(it, 'class') ?? 'thing'
          return x === null || y === null || text(it, 'pose.frame') !== 'map'
            ? []
            : [{ at: [x, y] as Point, name }]
        }),
      ),
      selected: selected.value,
      shapes: world.value?.shapes ?? [],
      dragged: null,
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

  useEffect(() => {
    const cancel = (event: KeyboardEvent) => {
      if (event.key === 'Escape') placing.value = null
    }
    window.addEventListener('keydown', cancel)
    return () => {
      window.removeEventListener('keydown', cancel)
      placing.value = null
    }
  }, [])

  const count = robots.value.length
  const label = `Map${world.value ? ` of ${world.value.name}` : ''} with ${count} robots. Arrow keys move it, plus and minus scale it, 0 shows all.`
  return (
    <div class="map">
      <h1 class="visually-hidden">Map</h1>
      <MapCanvas scene={scene} ownMap={readOwnMap} actions={useActions()} label={label} />
      <Nowhere poses={poses} />
      <LayerPanel now={now} />
      <ThingCard />
      {robot && <RobotCard key={robot} robot={robot} now={now} />}
    </div>
  )
}

/** Why the map is empty, if it is. */
function Nowhere({ poses }: { poses: Feed }) {
  poses.watch()
  if (simulated.value || reach.value !== 'up' || believed(poses).length > 0) return null
  return (
    <div class="nowhere">
      <Empty title="No robot says where it is on a map">
        There is no simulated world here. Robots show on the map as soon as they know their place on it; a
        pose in a frame of their own, such as odom, is on their own page.
      </Empty>
    </div>
  )
}

function useActions(): Actions {
  return useMemo(
    () => ({
      canDrag: (hit) => simulated.value && canBeMoved(hit),
      click: (hit, at) => {
        const what = placing.value
        if (what !== null) {
          placing.value = null
          if (what.what === 'person') void attempt(placePerson(what.name, at), `${what.name} is there`)
          else if (what.what === 'object')
            void attempt(putObject(at), 'The object is there: drag it, or click it to take it away')
          else void attempt(putBox(at), 'The box is there: drag it, or click it to take it away')
        } else if (hit?.what === 'robot') selected.value = hit.body.robot
        else if (hit?.what === 'shape') chosenThing.value = thingOf(hit.shape)
        else if (hit?.what === 'door') {
          const open = hit.state !== 'open' && hit.state !== 'opening'
          void attempt(post('/api/v1/world/poke', { happening: 'door', name: hit.name, open }))
        } else if (hit === null) {
          selected.value = null
          chosenThing.value = null
        }
      },
      drop: (hit, at) => {
        if (hit.what === 'robot') {
          const { robot, yaw } = hit.body
          void attempt(
            poke(robot, { stimulus: 'place', x_m: at[0], y_m: at[1], yaw_rad: yaw }),
            `${robot} is there`,
          )
        } else if (hit.what === 'person') void attempt(placePerson(hit.name, at))
        else if (hit.what === 'shape') {
          const { layer, name, yaw_rad } = hit.shape
          const body =
            layer === 'object'
              ? { happening: 'move_object', name, ...lying(world.value?.shapes ?? [], at) }
              : { happening: 'move_obstacle', name, x_m: at[0], y_m: at[1], yaw_rad }
          void attempt(post('/api/v1/world/poke', body))
        } else say('That stays where it is', true)
      },
    }),
    [],
  )
}

/** Things that robots push stay with the physics; what was put there by hand can be moved by hand. */
function canBeMoved(hit: Hit): boolean {
  if (hit.what === 'robot') return isPlaceable(hit.body.robot)
  return hit.what === 'person' || (hit.what === 'shape' && thingOf(hit.shape) !== null)
}

/** A name that no other thing has. */
function freshName(word: string): string {
  const taken = new Set(world.value?.shapes.map((shape) => shape.name))
  let number = 1
  while (taken.has(`${word}-${number}`)) number += 1
  return `${word}-${number}`
}

/** A box of the size of a crate. */
function putBox([x_m, y_m]: Point): Promise<unknown> {
  const box = { length_m: 0.4, width_m: 0.4 }
  return post('/api/v1/world/poke', { happening: 'put_obstacle', name: freshName('crate'), box, x_m, y_m })
}

/** A small thing that no household robot knows. */
const putObject = (at: Point) =>
  post('/api/v1/world/poke', {
    happening: 'put_object',
    name: freshName('object'),
    ...lying(world.value?.shapes ?? [], at),
  })

const placePerson = (name: string, [x_m, y_m]: Point) =>
  post('/api/v1/world/poke', { happening: 'place_person', name, x_m, y_m })

function isPlaceable(robot: string): boolean {
  const found = robots.value.find((it) => it.robot === robot)
  const stimuli = figures.value[found?.family ?? '']?.stimuli
  return found?.origin === 'simulated' && (stimuli === undefined || stimuli.includes('place'))
}
