// Every robot in a row: who it is, what it does, how it is, how well it is heard.

import './fleet.css'

import { useComputed } from '@preact/signals'
import { useState } from 'preact/hooks'

import { families, familyColor, figures, reach, robots } from '../../live/gateway'
import { useWorldFeed } from '../../live/world'
import { Empty } from '../../parts/Empty'
import { useFleetFeeds } from './feeds'
import { FleetRow } from './FleetRow'

const RATE = 'Updates a second that the gateway gets now; robots tell more while more of them is watched'

export function FleetView() {
  const { states, events } = useFleetFeeds()
  const now = useWorldFeed('1s')
  const paused = useComputed(() => now.value?.paused === true).value
  const [word, setWord] = useState('')
  const [family, setFamily] = useState<string | null>(null)
  const all = robots.value
  const shown = all.filter(
    (robot) =>
      (family === null || robot.family === family) &&
      `${robot.robot} ${robot.family}`.toLowerCase().includes(word.toLowerCase()),
  )
  const here = families.value.filter((name) => all.some((robot) => robot.family === name))
  return (
    <div class="fleet">
      <div class="head">
        <h1>Fleet</h1>
        <div class="families" role="group" aria-label="Families">
          {here.map((name) => (
            <button
              key={name}
              class="button"
              type="button"
              aria-pressed={family === name}
              onClick={() => setFamily(family === name ? null : name)}
            >
              <span class="dot" style={{ background: familyColor(name) }} />
              {figures.value[name]?.title ?? name}
              <span class="count">{all.filter((robot) => robot.family === name).length}</span>
            </button>
          ))}
        </div>
        <input
          class="field"
          type="search"
          placeholder="Find a robot"
          aria-label="Find a robot"
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
      </div>
      {shown.length === 0 ? (
        <Nothing any={all.length > 0} />
      ) : (
        <div class="panel" role="table" aria-label="Robots" aria-rowcount={shown.length + 1}>
          <div class="row titles" role="row">
            {['Robot', 'State', 'Task', 'Battery', 'Senses', 'Alerts', 'Link', 'Data'].map((title) => (
              <span
                key={title}
                class={title === 'Senses' ? 'senses' : undefined}
                role="columnheader"
                title={title === 'Data' ? RATE : undefined}
              >
                {title}
              </span>
            ))}
          </div>
          {shown.map((robot) => (
            <FleetRow key={robot.robot} robot={robot} states={states} events={events} paused={paused} />
          ))}
        </div>
      )}
    </div>
  )
}

function Nothing({ any }: { any: boolean }) {
  if (any) return <Empty title="No robot fits">Take back the search or the choice of a family.</Empty>
  if (reach.value !== 'up') return <Empty title="Waiting for the gateway" />
  return (
    <Empty title="No robots yet">
      Run <code>latimer demo</code>, or add robots to the config of this gateway.
    </Empty>
  )
}
