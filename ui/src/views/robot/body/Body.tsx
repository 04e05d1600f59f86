// The robot from above with what its sensors say: cones of range, edges, contacts, sound, scanner.

import './body.css'

import { useRef } from 'preact/hooks'

import type { Figure, Update } from '../../../api/types'
import { number } from '../../../live/read'
import { seconds } from '../../../live/time'
import { Panel } from '../Panel'
import { drawnWith, freshness, newest, type Shown, useBodyFeed } from '../robotFeed'
import { fixed } from '../units'
import { Contacts } from './Contacts'
import { useContacts } from './contacts'
import { Edges, Ranges } from './Cones'
import { outlinePath, reach, ringStep, viewRadius } from './geometry'
import { Found } from './Found'
import { Rings } from './Rings'
import { ScanLayer, useScanReach } from './ScanLayer'
import { SensorTable } from './SensorTable'
import { type Sensor, sensors } from './sensors'
import { Sounds } from './Sounds'
import { useWidth } from './useWidth'

/** Size of the writing on the screen. */
const LETTER_PX = 12

const OLD = {
  stale: 'stale',
  paused: 'the world is paused',
  disconnected: 'disconnected',
  lost: 'gateway lost',
}

export function Body(shown: Shown) {
  return (
    <Panel title="Body and surroundings" kind="bodypanel">
      <div class="bodyview">
        <Drawing {...shown} />
        <SensorTable {...shown} />
      </div>
    </Panel>
  )
}

function Drawing({ robot, figure, feed: slow }: Shown) {
  const feed = useBodyFeed(robot.robot)
  const contact = useContacts(robot.robot, feed)
  drawnWith(feed.tick.value)
  drawnWith(seconds.value)
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const before = useRef<number>()
  const scanner = figure?.parts.find((part) => part.kind === 'scan')
  const scanReach = useScanReach(robot.robot)
  const outline = figure?.outline_m ?? []
  const body = reach(outline)
  const ranges = sensors(feed, robot.robot, figure, 'range')
  const edges = sensors(feed, robot.robot, figure, 'cliff')
  const measured = ranges.flatMap((it) => (it.valid && it.distance_m !== null ? [it.distance_m + body] : []))
  // Without a measurement the drawing still shows where the sensors look.
  const idle = ranges.length > 0 && measured.length === 0 ? [Math.min(1, ranges[0]?.max_m ?? 1)] : []
  const radius = viewRadius(
    body,
    [...measured, ...idle, ...(scanner ? [scanReach.value] : [])],
    before.current,
  )
  before.current = radius
  const letter = (LETTER_PX * 2 * radius) / width
  const fresh = freshness(robot, slow)
  const nearest = measured.length > 0 ? Math.min(...measured) - body : null
  // Where the surroundings make the body small, its rim is drawn again, larger, below.
  const small = body / radius < 0.35
  const hasRim = edges.length > 0 || figure?.parts.some((part) => part.kind === 'contact')
  const sound = newest(feed, robot.robot, 'sound_source')
  return (
    <div class="bodydrawing" data-fresh={fresh} ref={box}>
      {scanner && <ScanLayer robot={robot.robot} part={scanner} radius_m={radius} reach={scanReach} />}
      <svg
        viewBox={`${-radius} ${-radius} ${2 * radius} ${2 * radius}`}
        role="img"
        aria-label={`The robot from above, ahead is up. ${
          nearest === null
            ? 'No range sensor sees anything'
            : `The nearest thing is ${fixed(nearest, 2)} m away`
        }. The numbers are in the table below.`}
      >
        <Rings radius_m={radius} step_m={ringStep(radius)} letter={letter} />
        {sound && <Sounds update={sound} radius_m={radius} />}
        <Ranges sensors={ranges} radius_m={radius} letter={letter} />
        <path class="outline" d={outlinePath(outline)} />
        <path
          class="ahead"
          d={`M0 ${-body * 0.55}L${body * 0.16} ${-body * 0.25}L${-body * 0.16} ${-body * 0.25}Z`}
        />
        <Found {...{ robot, figure, feed: slow }} radius_m={radius} letter={letter} />
        {!small && <Rim edges={edges} figure={figure} contact={contact} body_m={body} />}
      </svg>
      <div class="foot">
        {small && hasRim && (
          <svg
            class="closeup"
            viewBox={`${-body * 1.3} ${-body * 1.3} ${body * 2.6} ${body * 2.6}`}
            aria-hidden="true"
          >
            <path class="outline" d={outlinePath(outline)} />
            <Rim edges={edges} figure={figure} contact={contact} body_m={body} />
          </svg>
        )}
        <p class="scale">
          Rings every {ringStep(radius)} m{fresh !== 'live' && <strong> · {OLD[fresh]}: last values</strong>}
          {number(sound?.data, 'speech_bearing_rad') !== null && ' · a voice is heard'}
        </p>
      </div>
    </div>
  )
}

interface RimProps {
  edges: Sensor[]
  figure: Figure | undefined
  contact: (part: string) => Update | undefined
  body_m: number
}

function Rim({ edges, figure, contact, body_m }: RimProps) {
  return (
    <>
      <Edges sensors={edges} body_m={body_m} />
      <Contacts figure={figure} contact={contact} body_m={body_m} />
    </>
  )
}
