// Who the page is to a gateway that has users.

import { signal } from '@preact/signals'

import { get, post } from '../api/http'

export interface Me {
  has_users: boolean
  name: string | null
  drives: string[]
  is_admin: boolean
  /** Listeners that other machines reach without encryption or password. */
  insecure?: string[]
}

/** `null` until the gateway has answered. */
export const me = signal<Me | null>(null)

export async function lookUp(): Promise<void> {
  me.value = await get<Me>('/api/v1/me')
}

export async function logIn(user: string, password: string): Promise<void> {
  await post<Me>('/api/v1/login', { user, password })
  // Views and streams that were refused begin anew.
  location.reload()
}

export async function logOut(): Promise<void> {
  await fetch('/api/v1/logout', { method: 'POST' })
  location.reload()
}
