// One robot: what it is, what it senses, what it can be asked to do.

import './robot.css'

import { useEffect, useState } from 'preact/hooks'

import type { KindShape, Robot } from '../../api/types'
import { figures, kinds, reach, robots } from '../../live/gateway'
import { Empty } from '../../parts/Empty'
import { Charts } from './charts/Charts'
import { defaultCharts } from './charts/defaults'
import { recorderOf } from './charts/recorder'
import { Dock } from './Dock'
import { Header } from './Header'
import { Live } from './Live'
import { PauseWatch } from './pause'
import { useRobotFeed } from './robotFeed'
import { type Tab, Tabs } from './Tabs'
import { Values } from './values/Values'

export function RobotView({ params }: { params: Record<string, string | undefined> }) {
  const name = params['robot'] ?? ''
  const robot = robots.value.find((it) => it.robot === name)
  const shapes = kinds.value
  if (!robot || Object.keys(shapes).length === 0) return <Nobody name={name} known={robot !== undefined} />
  return <OneRobot key={name} robot={robot} shapes={shapes} />
}

/** Which part of the page was looked at last. */
let kept: Tab = 'live'

function OneRobot({ robot, shapes }: { robot: Robot; shapes: Record<string, KindShape> }) {
  const feed = useRobotFeed(robot.robot, shapes)
  const [tab, setTab] = useState<Tab>(kept)
  // Charts record from the first look at the robot on, not from the first look at them.
  useEffect(
    () => void recorderOf(robot.robot, () => defaultCharts(figures.value[robot.family])),
    [robot.robot],
  )
  const shown = { robot, figure: figures.value[robot.family], feed }
  return (
    <div class="robot">
      <PauseWatch />
      <div class="content">
        <Header {...shown} />
        <Tabs tab={tab} onTab={(next) => setTab((kept = next))} />
        <div id="robot-tab" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === 'live' && <Live {...shown} />}
          {tab === 'charts' && <Charts {...shown} />}
          {tab === 'values' && <Values {...shown} />}
        </div>
      </div>
      <Dock {...shown} />
    </div>
  )
}

function Nobody({ name, known }: { name: string; known: boolean }) {
  const waiting = reach.value === 'connecting' || known
  return (
    <div class="norobot">
      <h1>{name}</h1>
      {waiting ? (
        <Empty title="Connecting to the gateway…" />
      ) : (
        <Empty title={`There is no robot named ${name}`}>
          <a href="/fleet">Back to the fleet</a>
        </Empty>
      )}
    </div>
  )
}
