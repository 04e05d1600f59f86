// Reading fields of updates whose records may lack them.

import type { Update } from '../api/types'

/** The fields of a record. */
export type Data = Record<string, unknown>

export function number(data: Data | undefined, path: string): number | null {
  const value = field(data, path)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function text(data: Data | undefined, path: string): string | null {
  const value = field(data, path)
  return typeof value === 'string' ? value : null
}

export function bool(data: Data | undefined, path: string): boolean | null {
  const value = field(data, path)
  return typeof value === 'boolean' ? value : null
}

export function list(data: Data | undefined, path: string): Data[] {
  const value = field(data, path)
  return Array.isArray(value) ? (value as Data[]) : []
}

export function field(data: Data | undefined, path: string): unknown {
  let at: unknown = data
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

export const keyOf = (update: Pick<Update, 'robot' | 'kind' | 'part'>) =>
  update.part === null ? `${update.robot}/${update.kind}` : `${update.robot}/${update.kind}/${update.part}`

/** `bump_front_left` as `Bump front left`. */
export function words(name: string): string {
  const plain = name.replaceAll('_', ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
