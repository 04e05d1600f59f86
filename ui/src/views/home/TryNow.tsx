// One thing to try, and the next one.

import type { ReadonlySignal } from '@preact/signals'
import { useComputed } from '@preact/signals'
import { RefreshCw, Sparkles } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'

import type { WorldNow } from '../../api/types'
import { figures, robots } from '../../live/gateway'
import { attempt } from '../../parts/toast'
import { triesFor, type Try } from './tries'

export function TryNow({ now }: { now: ReadonlySignal<WorldNow | null> }) {
  // Doors by their state alone, so that this is not drawn with every step of the world.
  const doors = useComputed(() =>
    JSON.stringify(now.value?.doors.map(({ name, state }) => ({ name, state }))),
  )
  const [at, setAt] = useState(0)
  const [, go] = useLocation()
  const moving = doors.value as string | undefined
  const tries = triesFor({
    robots: robots.value,
    figures: figures.value,
    now: moving === undefined ? null : { doors: JSON.parse(moving) as WorldNow['doors'] },
  })
  const it = tries[at % tries.length]
  if (!it) return null
  const { act } = it
  const run = async ({ run }: NonNullable<Try['act']>) => {
    const target: { view: string | null } = { view: null }
    const done = await attempt(run().then((view) => (target.view = view)))
    if (done && target.view !== null) go(target.view)
  }
  return (
    <section class="panel try" aria-label="Try this">
      <Sparkles size={20} aria-hidden="true" />
      <p>
        <strong>{it.title}.</strong> {it.text}
      </p>
      <span class="actions">
        {act && (
          <button class="button primary" type="button" onClick={() => void run(act)}>
            {act.label}
          </button>
        )}
        {it.link && (
          <a class="button primary" href={it.link.href}>
            {it.link.label}
          </a>
        )}
        <button class="button" type="button" onClick={() => setAt(at + 1)}>
          <RefreshCw size={16} aria-hidden="true" /> Something else
        </button>
      </span>
    </section>
  )
}
