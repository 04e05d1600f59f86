// Nearer, farther, all of it: what a wheel and keys do, for fingers.

import { Maximize, Minus, Plus } from 'lucide-preact'

interface Props {
  nearer: () => void
  farther: () => void
  all: () => void
}

export function ViewButtons({ nearer, farther, all }: Props) {
  return (
    <div class="view" role="group" aria-label="View">
      <button class="button" type="button" aria-label="Nearer" onClick={nearer}>
        <Plus size={16} />
      </button>
      <button class="button" type="button" aria-label="Farther" onClick={farther}>
        <Minus size={16} />
      </button>
      <button class="button" type="button" aria-label="Show all" onClick={all}>
        <Maximize size={16} />
      </button>
    </div>
  )
}
