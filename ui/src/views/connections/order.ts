// The order of names as a person counts: bot-2 before bot-10.

import type { Robot } from '../../api/types'

const collator = new Intl.Collator('en', { numeric: true })

export const byName = (one: string, other: string) => collator.compare(one, other)

/** Robots by their names, in a list of its own. */
export const inOrder = (robots: readonly Robot[]) => [...robots].sort((a, b) => byName(a.robot, b.robot))
