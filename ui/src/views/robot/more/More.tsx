// What the robot says beside what has a drawing of its own: each kind by its shape, also one that is new.

import { kinds } from '../../../live/gateway'
import { words } from '../../../live/read'
import { Provenance } from '../../../parts/Provenance'
import { Facts } from '../motion/Facts'
import { Panel } from '../Panel'
import { drawnWith, type Shown } from '../robotFeed'
import { isDrawn, rowsOf } from './facts'

export function More(shown: Shown) {
  drawnWith(shown.feed.tick.value)
  if (othersOf(shown).length === 0) return null
  return (
    <Panel title="More values" kind="motion">
      <Inside {...shown} />
    </Panel>
  )
}

function Inside(shown: Shown) {
  drawnWith(shown.feed.tick.value)
  return (
    <div class="groups">
      {othersOf(shown).map(({ key, title, rows, provenance }) => (
        <div key={key}>
          <Facts title={title} facts={rows} />
          <Provenance of={provenance} />
        </div>
      ))}
    </div>
  )
}

/** The last value of each key that no other part of the page shows. */
function othersOf({ feed }: Shown) {
  const others = [...feed.values].flatMap(([key, { update }]) => {
    const { kind, part, data, provenance } = update
    const shape = kinds.value[kind]
    if (!shape || isDrawn(kind)) return []
    const rows = rowsOf(shape, data)
    const title = words(part ? `${kind}, ${part}` : kind)
    return rows.length > 0 ? [{ key, title, rows, provenance }] : []
  })
  return others.sort((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }))
}
