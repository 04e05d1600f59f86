// The form of a gateway that has users.

import './login.css'

import { useState } from 'preact/hooks'

import { Refusal } from '../../api/http'
import { logIn } from '../../live/me'

export function Login() {
  const [problem, setProblem] = useState<string | null>(null)
  const [waits, setWaits] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const typed = (name: string) => {
      const value = form.get(name)
      return typeof value === 'string' ? value : ''
    }
    setWaits(true)
    try {
      await logIn(typed('user'), typed('password'))
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof Refusal || error instanceof Error ? error.message : String(error))
    }
    setWaits(false)
  }
  return (
    <main class="login" id="main" tabIndex={-1}>
      <form class="panel" onSubmit={(event) => void submit(event)}>
        <h1>
          <img src="/favicon.svg" alt="" width="32" height="32" /> Latimer
        </h1>
        <p>This gateway has users. Log in to see its robots.</p>
        <label>
          User
          <input
            class="field"
            name="user"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            required
          />
        </label>
        <label>
          Password
          <input class="field" name="password" type="password" autocomplete="current-password" required />
        </label>
        {problem !== null && <p role="alert">{problem}</p>}
        <button class="button primary" type="submit" disabled={waits}>
          Log in
        </button>
      </form>
    </main>
  )
}
