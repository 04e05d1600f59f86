// What the map shows, whom it follows, and people to be put somewhere.

import { type ReadonlySignal, useComputed } from '@preact/signals'
import { Layers } from 'lucide-preact'

import type { WorldNow } from '../../api/types'
import { robots, simulated } from '../../live/gateway'
import { follow, fps, type Options, options, type Placing, placing, selected, set } from './options'

const SWITCHES: [Exclude<keyof Options, 'scans'>, string][] = [
  ['names', 'Names'],
  ['trails', 'Trails'],
  ['paths', 'Planned paths'],
  ['people', 'People'],
  ['places', 'Places'],
  ['marks', 'Barcodes and landmarks'],
  ['more', 'Spawns, lights, sounds'],
  ['objects', 'What robots detect'],
  ['ghosts', 'Where robots believe to be'],
  ['ownMap', "The chosen robot's own map"],
]

export function LayerPanel({ now }: { now: ReadonlySignal<WorldNow | null> }) {
  return (
    <details class="layers panel" open={window.innerWidth > 760}>
      <summary>
        <Layers size={18} /> Layers
      </summary>
      <div class="body">
        <div class="line">
          <label for="map-robot">Robot</label>
          <select
            id="map-robot"
            class="field"
            value={selected.value ?? ''}
            onChange={(event) => (selected.value = event.currentTarget.value || null)}
          >
            <option value="">none chosen</option>
            {robots.value.map(({ robot }) => (
              <option key={robot}>{robot}</option>
            ))}
          </select>
        </div>
        <label>
          <input
            type="checkbox"
            checked={follow.value}
            disabled={selected.value === null}
            onChange={(event) => (follow.value = event.currentTarget.checked)}
          />
          Follow it
        </label>
        <div class="line">
          <label for="map-lidar">Lidar</label>
          <select
            id="map-lidar"
            class="field"
            value={options.value.scans}
            onChange={(event) => set({ scans: event.currentTarget.value as Options['scans'] })}
          >
            <option value="none">of none</option>
            <option value="selected">of the chosen robot</option>
            <option value="all">of all robots</option>
          </select>
        </div>
        {SWITCHES.map(([name, title]) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={options.value[name]}
              onChange={(event) => set({ [name]: event.currentTarget.checked })}
            />
            {title}
          </label>
        ))}
        <Hands now={now} />
        <p class="muted rate">{fps.value} frames a second</p>
      </div>
    </details>
  )
}

/** What is put where the floor is clicked next. */
function Hands({ now }: { now: ReadonlySignal<WorldNow | null> }) {
  // Their names only, so that the panel is not drawn with every step of the world.
  const joined = useComputed(() => now.value?.people.flatMap((person) => person.name ?? []).join('\n') ?? '')
  if (!simulated.value) return null
  const people = joined.value === '' ? [] : joined.value.split('\n')
  const choices: { label: string; placing: NonNullable<Placing> }[] = [
    ...people.map((name) => ({ label: `Place ${name}`, placing: { what: 'person' as const, name } })),
    { label: 'Put a box', placing: { what: 'box' as const } },
    { label: 'Put an object', placing: { what: 'object' as const } },
  ]
  return (
    <div class="people" role="group" aria-label="Put something on the floor">
      {choices.map(({ label, placing: choice }) => {
        const chosen = JSON.stringify(placing.value) === JSON.stringify(choice)
        return (
          <button
            key={label}
            class="button"
            type="button"
            aria-pressed={chosen}
            onClick={() => (placing.value = chosen ? null : choice)}
          >
            {chosen ? 'Click the floor' : label}
          </button>
        )
      })}
    </div>
  )
}
