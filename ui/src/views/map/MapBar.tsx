// Above the map: whom it follows, what hands can put on the floor, and the switch of the layers.

import { type ReadonlySignal, useComputed } from '@preact/signals'
import { Box, Layers, PersonStanding, Rotate3d, Shapes } from 'lucide-preact'

import type { WorldNow } from '../../api/types'
import { robots, simulated } from '../../live/gateway'
import { showsWorld, useFrames } from './frames'
import { follow, frame, layersOpen, type Placing, placing, selected, solid } from './options'

export function MapBar({ now }: { now: ReadonlySignal<WorldNow | null> }) {
  const frames = useFrames()
  return (
    <div class="bar" role="group" aria-label="Map">
      <div class="who">
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
        <label>
          <input
            type="checkbox"
            checked={follow.value}
            disabled={selected.value === null}
            onChange={(event) => (follow.value = event.currentTarget.checked)}
          />
          Follow it
        </label>
      </div>
      <div class="who">
        <label for="map-frame">Frame</label>
        <select
          id="map-frame"
          class="field"
          value={frame.value ?? ''}
          onChange={(event) => {
            frame.value = event.currentTarget.value || null
            placing.value = null
          }}
        >
          <option value="">each its own map</option>
          {frames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      {showsWorld() && <Hands now={now} />}
      <button
        class="button"
        type="button"
        aria-pressed={solid.value}
        onClick={() => (solid.value = !solid.value)}
      >
        <Rotate3d size={16} aria-hidden="true" /> 3-D
      </button>
      <button
        class="button layerswitch"
        type="button"
        aria-expanded={layersOpen.value}
        aria-controls="map-layers"
        onClick={() => (layersOpen.value = !layersOpen.value)}
      >
        <Layers size={16} aria-hidden="true" /> Layers
      </button>
    </div>
  )
}

/** What is put where the floor is clicked next. */
function Hands({ now }: { now: ReadonlySignal<WorldNow | null> }) {
  // Their names only, so that the bar is not drawn with every step of the world.
  const joined = useComputed(() => now.value?.people.flatMap((person) => person.name ?? []).join('\n') ?? '')
  if (!simulated.value) return null
  const people = joined.value === '' ? [] : joined.value.split('\n')
  const choices: { label: string; icon: typeof Box; placing: NonNullable<Placing> }[] = [
    { label: 'Put a box', icon: Box, placing: { what: 'box' } },
    { label: 'Put an object', icon: Shapes, placing: { what: 'object' } },
    ...people.map((name) => ({
      label: `Place ${name}`,
      icon: PersonStanding,
      placing: { what: 'person' as const, name },
    })),
  ]
  return (
    <div class="hands" role="group" aria-label="Put something on the floor">
      {choices.map(({ label, icon: Icon, placing: choice }) => {
        const chosen = JSON.stringify(placing.value) === JSON.stringify(choice)
        return (
          <button
            key={label}
            class="button"
            type="button"
            aria-pressed={chosen}
            onClick={() => (placing.value = chosen ? null : choice)}
          >
            <Icon size={16} aria-hidden="true" /> {chosen ? 'Click the floor' : label}
          </button>
        )
      })}
    </div>
  )
}
