// Requests to the gateway. What goes wrong becomes a `Refusal` that says what, where and what to do.

import type { Outcome, Problem } from './types'

const WITHIN_MS = 8_000

export class Refusal extends Error {
  constructor(
    message: string,
    readonly advice?: string,
    readonly status?: number,
  ) {
    super(message)
  }
}

export async function get<T>(path: string, withinMs = WITHIN_MS): Promise<T> {
  return (await ask('GET', path, undefined, withinMs)) as T
}

export async function post<T = Outcome>(path: string, body: unknown): Promise<T> {
  return (await ask('POST', path, body)) as T
}

/** Ends what an address stands for. */
export async function end(path: string): Promise<void> {
  await ask('DELETE', path)
}

export const command = (robot: string, body: Record<string, unknown>) =>
  post(`/api/v1/robots/${encodeURIComponent(robot)}/commands`, body)

export const poke = (robot: string, body: Record<string, unknown>) =>
  post(`/api/v1/robots/${encodeURIComponent(robot)}/poke`, body)

/** A person has seen that a robot stands. */
export const stands = (robot: string) => post(`/api/v1/robots/${encodeURIComponent(robot)}/stands`, {})

/** Presses or releases the emergency stop of robots; of all of them if none is named. */
export const emergencyStop = (pressed: boolean, names?: string[]) =>
  post<{ outcomes: Record<string, Outcome> }>('/api/v1/estop', { pressed, robots: names })

async function ask(method: string, path: string, body?: unknown, withinMs = WITHIN_MS): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json', 'x-latimer-client': 'page' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(withinMs),
      cache: 'no-store',
    })
  } catch {
    throw new Refusal('The gateway does not answer', 'Is `latimer` running?')
  }
  if (response.status === 204) return null
  const text = await response.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Refusal(`${path} answered what is no JSON`, undefined, response.status)
  }
  if (response.ok) return json
  const problem = json as Partial<Problem>
  throw new Refusal(problem.detail ?? `${path}: ${response.status}`, problem.advice, response.status)
}
