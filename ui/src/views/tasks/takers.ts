// Which robots can be given a task.

import type { Figure, Robot } from '../../api/types'
import { inOrder } from '../connections/order'

/** Those whose family takes tasks, or of whose family nothing is known; connected ones first. */
export function takersOf(robots: readonly Robot[], figures: Record<string, Figure>): Robot[] {
  const takers = inOrder(robots).filter((it) => figures[it.family]?.commands.includes('task') ?? true)
  const up = (it: Robot) => it.link.state === 'up'
  return [...takers.filter(up), ...takers.filter((it) => !up(it))]
}
