// Lists that are asked for again and again while somebody looks.

import { useEffect, useState } from 'preact/hooks'

import { get, Refusal } from '../api/http'

export interface Polled<T> {
  value: T | null
  /** Why there is no newer value. */
  error: string | null
  /** When the value came, by the page's own clock. */
  at: number
}

/** The newest answer of an address; `again` (any value that changes) asks at once. */
export function usePoll<T>(path: string | null, everyMs: number, again: unknown = null): Polled<T> {
  const [polled, set] = useState<Polled<T> & { path: string | null }>({
    value: null,
    error: null,
    at: 0,
    path,
  })
  useEffect(() => {
    if (path === null) return
    let over = false
    let timer = 0
    const ask = async () => {
      try {
        const value = await get<T>(path)
        if (!over) set({ value, error: null, at: performance.now(), path })
      } catch (error) {
        const why = error instanceof Refusal ? error.message : String(error)
        if (!over) set((before) => ({ ...before, error: why, path }))
      }
      if (!over) timer = window.setTimeout(() => void ask(), everyMs)
    }
    void ask()
    return () => {
      over = true
      window.clearTimeout(timer)
    }
  }, [path, everyMs, again])
  // What was answered for another address is no answer for this one.
  return polled.path === path ? polled : { value: null, error: null, at: 0 }
}
