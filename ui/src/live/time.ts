// Ages and times as a person reads them.

import { signal } from '@preact/signals'

/** The page's clock, a second at a time, for whatever shows an age. */
export const seconds = signal(Date.now())
setInterval(() => (seconds.value = Date.now()), 1000)

/** After this long without news something that is published all the time is stale. */
export const STALE_MS = 4_000

export function age(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 60) return `${s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`
}

export const since = (rfc3339: string) => age(seconds.value - Date.parse(rfc3339))

export function clock(rfc3339: string): string {
  const date = new Date(rfc3339)
  const part = (value: number, width = 2) => String(value).padStart(width, '0')
  return `${part(date.getHours())}:${part(date.getMinutes())}:${part(date.getSeconds())}.${part(date.getMilliseconds(), 3)}`
}
