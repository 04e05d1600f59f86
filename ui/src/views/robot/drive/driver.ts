// Sends speeds while they are held, and a stop as soon as they are not.
//
//   idle ──hold──▶ driving: a drive of half a second, eight times a second ──release, blur, hidden, lost──▶ stop, idle
//
// Who goes away without a word stops by itself: each drive lasts half a second only.

import { signal } from '@preact/signals'

import { command, Refusal } from '../../../api/http'
import { isStill, type Speeds } from './stick'

const EVERY_MS = 125
const LASTS_S = 0.5
export const STILL: Speeds = { linear_mps: 0, angular_radps: 0 }

export class Driver {
  readonly driving = signal(false)
  /** The last refusal, until a drive is taken. */
  readonly refusal = signal<Refusal | null>(null)
  private speeds = STILL
  private timer = 0
  private asking = false

  constructor(private readonly robot: string) {}

  /** Speeds from now on; none is a stop. */
  hold(speeds: Speeds): void {
    if (isStill(speeds)) {
      this.stop()
      return
    }
    this.speeds = speeds
    if (this.driving.value) return
    this.driving.value = true
    this.send()
    this.timer = window.setInterval(() => this.send(), EVERY_MS)
  }

  /** Stops, if it drives. */
  stop(): void {
    if (this.driving.value) this.halt()
  }

  /** Stops whatever it does. */
  halt(): void {
    window.clearInterval(this.timer)
    this.speeds = STILL
    this.driving.value = false
    // A drive may still be on its way; it must not be the last word.
    const again = this.asking
    void this.ask({ command: 'stop' }).then(async () => {
      if (again && !this.driving.value) await this.ask({ command: 'stop' })
    })
  }

  private send(): void {
    // On a slow line commands do not pile up.
    if (this.asking) return
    this.asking = true
    void this.ask({ command: 'drive', ...this.speeds, duration_s: LASTS_S }).finally(
      () => (this.asking = false),
    )
  }

  private async ask(body: Record<string, unknown>): Promise<void> {
    try {
      await command(this.robot, body)
      // That stopping works does not answer why driving did not.
      if (body['command'] === 'drive') this.refusal.value = null
    } catch (error) {
      // The stop overtook this drive, as it should.
      if (body['command'] === 'drive' && !this.driving.value) return
      this.refusal.value = error instanceof Refusal ? error : new Refusal(String(error))
    }
  }
}
