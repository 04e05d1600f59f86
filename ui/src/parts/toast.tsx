// Short words about what was just done or refused. They go by themselves; refusals stay longer.

import './toast.css'

import { signal } from '@preact/signals'

import { Refusal } from '../api/http'

interface Toast {
  id: number
  text: string
  advice?: string
  bad: boolean
}

const toasts = signal<Toast[]>([])
let next = 0

export function say(text: string, bad = false, advice?: string): void {
  const id = next++
  toasts.value = [...toasts.value.slice(-3), { id, text, advice, bad }]
  setTimeout(() => (toasts.value = toasts.value.filter((toast) => toast.id !== id)), bad ? 7000 : 2500)
}

/** Does something; if it is refused, says why. Whether it was done. */
export async function attempt(what: Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await what
    if (done) say(done)
    return true
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(String(error))
    say(refusal.message, true, refusal.advice)
    return false
  }
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <p key={toast.id} class={toast.bad ? 'bad' : ''}>
          {toast.text}
          {toast.advice && <small>{toast.advice}</small>}
        </p>
      ))}
    </div>
  )
}
