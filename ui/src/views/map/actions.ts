// What clicks and drags on the map do.

import { useMemo } from 'preact/hooks'

import { poke, post } from '../../api/http'
import { figures, robots, simulated } from '../../live/gateway'
import { world } from '../../live/world'
import { attempt, say } from '../../parts/toast'
import type { Point } from './camera'
import { showsWorld } from './frames'
import type { Actions } from './hand'
import { BOX_M } from './handles'
import { lying, thingOf } from './objects'
import { chosenThing, placing, selected } from './options'
import type { Hit } from './pick'

/** Hands in the simulated world. */
export function useActions(): Actions {
  return useMemo(
    () => ({
      canDrag: (hit) => simulated.value && showsWorld() && canBeMoved(hit),
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
  const box = { length_m: BOX_M, width_m: BOX_M }
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
