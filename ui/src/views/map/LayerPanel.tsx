// What the map shows.

import { fps, type Options, options, set } from './options'

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

export function LayerPanel() {
  return (
    <section class="layers panel" id="map-layers" aria-label="Layers">
      <div class="body">
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
        <p class="muted rate">{fps.value} frames a second</p>
      </div>
    </section>
  )
}
