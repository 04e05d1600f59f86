// Things worth trying with what is there, the best first.

import { command, poke, post } from '../../api/http'
import type { Figure, Robot, WorldNow } from '../../api/types'
import { partsFor } from '../../parts/stimuli/stimuli'

export interface Try {
  title: string
  text: string
  /** What the button does; resolves to a view to go to. */
  act?: { label: string; run: () => Promise<string | null> }
  /** The button is a link. */
  link?: { label: string; href: string }
}

/** How long a bumper is pressed, seconds: long enough to be seen. */
const PRESS_S = 3

export interface Here {
  robots: Robot[]
  figures: Record<string, Figure>
  now: Pick<WorldNow, 'doors'> | null
}

export function triesFor(here: Here): Try[] {
  return [bumper(here), drag(here), door(here), drive(here), stop(here)].filter((it) => it !== null)
}

function bumper({ robots, figures }: Here): Try | null {
  const able = robots
    .filter(({ origin, family }) => origin === 'simulated' && figures[family]?.stimuli.includes('bump'))
    .map((robot) => ({ robot: robot.robot, parts: partsFor(figures[robot.family], 'bump') }))
    .sort((a, b) => b.parts.length - a.parts.length)[0]
  const part = able?.parts[0]
  if (!able || !part) return null
  const { robot } = able
  return {
    title: 'Press a bumper',
    text: `See the ${bumperName(part.part)} of ${robot} in ${Object.keys(figures).length} dialects at once.`,
    act: {
      label: 'Press it',
      run: async () => {
        await poke(robot, { stimulus: 'bump', part: part.part, hold_s: PRESS_S })
        return `/interpreter/${robot}/contact/${part.part}`
      },
    },
  }
}

/** `front left bumper` for `bump_front_left`. */
const bumperName = (part: string) => `${part.replace(/^bump(er)?_?/, '').replaceAll('_', ' ')} bumper`.trim()

function drag({ robots, figures }: Here): Try | null {
  const able = robots.find(
    ({ origin, family }) => origin === 'simulated' && figures[family]?.stimuli.includes('place'),
  )
  return able
    ? {
        title: 'Drag a robot',
        text: `Take ${able.robot} on the map and put it elsewhere. People and boxes can be dragged, too.`,
      }
    : null
}

function door({ now }: Here): Try | null {
  const found = now?.doors[0]
  if (!found) return null
  const open = found.state !== 'open' && found.state !== 'opening'
  return {
    title: open ? 'Open a door' : 'Shut a door',
    text: `Click the ${found.name} door on the map, and watch what robots do about it.`,
    act: {
      label: open ? 'Open it' : 'Shut it',
      run: async () => {
        await post('/api/v1/world/poke', { happening: 'door', name: found.name, open })
        return null
      },
    },
  }
}

function drive({ robots, figures }: Here): Try | null {
  const able = robots.find(({ family }) => figures[family]?.commands.includes('drive'))
  return able
    ? {
        title: 'Drive',
        text: `Steer ${able.robot} with a stick or the keys W A S D, beside what its camera sees.`,
        link: { label: `Drive ${able.robot}`, href: `/robot/${able.robot}` },
      }
    : null
}

function stop({ robots, figures }: Here): Try | null {
  const able = robots.find(({ family }) => figures[family]?.commands.includes('stop'))
  return able
    ? {
        title: 'Stop',
        text: 'The red button beside each robot stops it; the one at the top stops all.',
        act: {
          label: `Stop ${able.robot}`,
          run: async () => {
            await command(able.robot, { command: 'stop' })
            return null
          },
        },
      }
    : null
}
