// A thing that was put into the world by hand: its name, and the way out again.

import { Trash2, X } from 'lucide-preact'

import { post } from '../../api/http'
import { world } from '../../live/world'
import { attempt } from '../../parts/toast'
import { chosenThing } from './options'

export function ThingCard() {
  const thing = chosenThing.value
  if (
    thing === null ||
    !world.value?.shapes.some((shape) => shape.layer === thing.layer && shape.name === thing.name)
  )
    return null
  const { layer, name } = thing
  const remove = async () => {
    if (
      await attempt(post('/api/v1/world/poke', { happening: `remove_${layer}`, name }), `${name} is gone`)
    ) {
      chosenThing.value = null
    }
  }
  return (
    <section class="thing panel" aria-label={`Chosen: ${name}`}>
      <strong>{name}</strong>
      <button class="button" type="button" onClick={() => void remove()}>
        <Trash2 size={16} aria-hidden="true" /> Take it away
      </button>
      <button
        class="button quiet"
        type="button"
        aria-label="Choose nothing"
        onClick={() => (chosenThing.value = null)}
      >
        <X size={16} />
      </button>
    </section>
  )
}
