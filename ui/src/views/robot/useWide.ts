// Whether the window has room for what is always in sight beside the rest, instead of below it.

import { signal } from '@preact/signals'

/** The same width is in robot.css. */
const query = window.matchMedia('(min-width: 1000px)')
const wide = signal(query.matches)
query.addEventListener('change', () => (wide.value = query.matches))

export const useWide = () => wide.value
