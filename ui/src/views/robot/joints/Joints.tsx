// Every joint with where it stands, and a slider to move it where the family takes that.

import './joints.css'

import { useEffect, useRef, useState } from 'preact/hooks'

import { command } from '../../../api/http'
import { words } from '../../../live/read'
import { attempt } from '../../../parts/toast'
import { Panel } from '../Panel'
import { allOf, drawnWith, newest, type Shown } from '../robotFeed'
import { quantity } from '../units'
import { type JointOfRobot, standing, travelOf } from './range'

/** While a slider is moved, a command this often at most. */
const SEND_MS = 150
/** So long after the last move the slider shows what was asked, then what is. */
const HOLD_MS = 1_500

export function Joints(shown: Shown) {
  drawnWith(shown.feed.tick.value)
  const { robot, figure, feed } = shown
  const known = figure?.joints ?? []
  const more = allOf(feed, robot.robot, 'joint')
    .filter((update) => !known.some((joint) => joint.part === update.part))
    .map((update): JointOfRobot => ({ part: update.part ?? '', label: words(update.part ?? 'joint') }))
  const joints = [...known, ...more]
  if (joints.length === 0) return null
  return (
    <Panel title="Joints" kind="joints">
      <ul>
        {joints.map((joint) => (
          <JointRow key={joint.part} {...shown} joint={joint} />
        ))}
      </ul>
    </Panel>
  )
}

function JointRow({ robot, figure, feed, joint }: Shown & { joint: JointOfRobot }) {
  const travel = travelOf(joint)
  const now = standing(newest(feed, robot.robot, 'joint', joint.part || undefined)?.data)
  const value = quantity(now?.value ?? null, now?.unit ?? null)
  const can = travel !== null && figure?.commands.includes('joints') === true
  const here = now && travel && now.unit === travel.unit ? now.value : null
  return (
    <li>
      <Dial value={here} unit={travel?.unit} min={travel?.min} max={travel?.max} />
      <span class="name">{joint.label}</span>
      <span class={now ? 'value' : 'value muted'}>{value}</span>
      {can && <Mover robot={robot.robot} joint={joint} here={here} travel={travel} />}
    </li>
  )
}

interface MoverProps {
  robot: string
  joint: JointOfRobot
  here: number | null
  travel: NonNullable<ReturnType<typeof travelOf>>
}

function Mover({ robot, joint, here, travel }: MoverProps) {
  const [asked, setAsked] = useState<number | null>(null)
  const timer = useRef(0)
  const release = useRef(0)
  const wanted = useRef(0)
  useEffect(
    () => () => {
      window.clearTimeout(timer.current)
      window.clearTimeout(release.current)
    },
    [],
  )
  const send = () => {
    timer.current = 0
    const target = { part: joint.part, [travel.field]: wanted.current }
    void attempt(command(robot, { command: 'joints', targets: [target] }))
  }
  const move = (value: number) => {
    wanted.current = value
    setAsked(value)
    if (timer.current === 0) timer.current = window.setTimeout(send, SEND_MS)
    window.clearTimeout(release.current)
    release.current = window.setTimeout(() => setAsked(null), HOLD_MS)
  }
  const shownAt = asked ?? here ?? joint.neutral_rad ?? (travel.min + travel.max) / 2
  return (
    <input
      type="range"
      min={travel.min}
      max={travel.max}
      step={(travel.max - travel.min) / 100}
      value={shownAt}
      aria-label={`Move ${joint.label}`}
      aria-valuetext={quantity(shownAt, travel.unit)}
      onInput={(event) => move(Number(event.currentTarget.value))}
    />
  )
}

interface DialProps {
  value: number | null
  unit?: string
  min?: number
  max?: number
}

/** A small gauge: the hand at the angle itself, or where in its range it stands. */
function Dial({ value, unit, min = 0, max = 1 }: DialProps) {
  const share = value === null ? null : (value - min) / (max - min)
  const degrees =
    value === null || share === null ? null : unit === 'rad' ? (-value * 180) / Math.PI : share * 240 - 120
  return (
    <svg viewBox="-22 -22 44 44" width="36" height="36" aria-hidden="true">
      <circle r="19" class="face" />
      {degrees !== null && <path d="M0 4V-15" class="hand" transform={`rotate(${degrees})`} />}
      <circle r="3" class="hub" />
    </svg>
  )
}
