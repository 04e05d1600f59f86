// Why there is no picture, and which way of delivery to try instead.

/** After so long without a picture the panel says so. */
const LATE_MS = 4_000
/** After so long no picture is to be expected any more. */
const NONE_MS = 6_000

export interface Look {
  link: string
  gatewayLost: boolean
  paused: boolean
  /** Why this browser can never show this form. */
  cannot: string | null
  /** What the pictures wait for. */
  waiting: string | null
  /** Whether a picture came since it is looked at in this form. */
  ever: boolean
  /** How long none came. */
  silent_ms: number
}

/** Whether pictures should come at all now. */
export const expected = ({ link, gatewayLost, paused }: Look) => link === 'up' && !gatewayLost && !paused

/** Whether it is time to try something else. */
export const isSilent = (look: Look) => expected(look) && (look.cannot !== null || look.silent_ms > NONE_MS)

/** What stands over the picture; `null` if all is well. */
export function trouble(look: Look): string | null {
  if (look.gatewayLost) return 'Gateway lost'
  if (look.link !== 'up') return look.link === 'connecting' ? 'Connecting' : 'Disconnected'
  if (look.paused) return 'World paused'
  if (look.cannot !== null) return look.cannot
  if (isSilent(look)) return look.ever ? 'No new picture comes' : 'No picture comes'
  if (look.waiting !== null) return look.waiting
  return look.silent_ms > LATE_MS ? (look.ever ? 'No new picture' : 'No picture yet') : null
}

/** The form that comes after one, around. */
export function after(forms: string[], form: string): string | null {
  const next = forms[(forms.indexOf(form) + 1) % forms.length]
  return next === undefined || next === form ? null : next
}

/** What is tried by itself if a form never brings anything: pictures for video. */
export const insteadOf = (forms: string[], form: string): string | null =>
  form === 'video' && forms.includes('compressed_image') ? 'compressed_image' : null
