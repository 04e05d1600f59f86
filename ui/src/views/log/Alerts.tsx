// Everything that is wrong now.

import './alerts.css'

import type { Alert } from '../../api/types'
import { usePoll } from '../../live/poll'
import { since } from '../../live/time'
import { Status } from '../../parts/Status'

const EVERY_MS = 2_000

export function Alerts() {
  const polled = usePoll<{ alerts: Alert[] }>('/api/v1/alerts?active=true', EVERY_MS)
  const alerts = polled.value?.alerts ?? []
  return (
    <section class="activealerts" aria-label="What is wrong now">
      {polled.value && alerts.length === 0 && <Status tone="good">Nothing is wrong now</Status>}
      {polled.error && !polled.value && <Status tone="none">{`No list of alerts: ${polled.error}`}</Status>}
      <ul>
        {alerts.map((alert) => (
          <li
            key={`${alert.robot}/${alert.source}/${alert.code ?? ''}/${alert.raised}${alert.message}`}
            class={alert.severity}
          >
            <Status tone={alert.severity === 'error' ? 'bad' : 'warn'}>
              {alert.severity === 'error' ? 'Error' : 'Warning'}
            </Status>
            <a href={`/robot/${encodeURIComponent(alert.robot)}`}>{alert.robot}</a>
            <strong>{alert.message}</strong>
            <span class="muted">
              {alert.source}
              {alert.code !== null && ` ${alert.code}`}, for {since(alert.raised)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
