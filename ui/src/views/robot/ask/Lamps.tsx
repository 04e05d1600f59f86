// The colours of the robot's lamps, as it tells them, and setting them.

import { useEffect, useRef, useState } from 'preact/hooks'

import { command } from '../../../api/http'
import { number } from '../../../live/read'
import { attempt } from '../../../parts/toast'
import { drawnWith, newest, type Shown } from '../robotFeed'
import { hexOf, rgbOf } from './colour'

/** While a colour is chosen, a command this often at most. */
const SEND_MS = 150

export function Lamps({ robot, figure, feed }: Shown) {
  drawnWith(feed.tick.value)
  const [asked, setAsked] = useState<Record<string, string>>({})
  const timer = useRef(0)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const set = (part: string | null, hex: string) => {
    setAsked({ ...asked, [part ?? '']: hex })
    window.clearTimeout(timer.current)
    const body = { command: 'lamp', rgb: rgbOf(hex), ...(part === null ? {} : { part }) }
    timer.current = window.setTimeout(() => void attempt(command(robot.robot, body)), SEND_MS)
  }
  return (
    <ul class="lamps">
      {figure?.lamps.map(({ part, label }) => {
        const data = newest(feed, robot.robot, 'lamp', part ?? undefined)?.data
        const [red, green, blue] = [number(data, 'red'), number(data, 'green'), number(data, 'blue')]
        const published = red !== null && green !== null && blue !== null ? hexOf([red, green, blue]) : null
        // Lamps without data show the colour that this page asked for.
        const last = asked[part ?? '']
        return (
          <li key={part}>
            <label>
              <input
                type="color"
                value={published ?? last ?? '#000000'}
                onInput={(event) => set(part, event.currentTarget.value)}
              />
              {label}
            </label>
            <span class="muted">{published ?? (last ? `${last}, asked` : 'no data')}</span>
          </li>
        )
      })}
    </ul>
  )
}
