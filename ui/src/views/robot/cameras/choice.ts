// Which form of a camera is shown. Where video brings no picture, pictures are shown meanwhile and video is tried again:
//
//   video ──no picture for 6 s──▶ pictures ──after 20 s, 40 s, 80 s, then every 120 s──▶ video …

const FIRST_PAUSE_MS = 20_000
const LONGEST_PAUSE_MS = 120_000

export interface Choice {
  /** What is asked for now. */
  form: string
  /** What was chosen; `form` may stand in for it. */
  wanted: string
  /** How often it brought nothing since it last came. */
  failures: number
  /** When it is tried again; `null` while it is shown, and where the browser can never show it. */
  again_at: number | null
}

export const choose = (form: string): Choice => ({ form, wanted: form, failures: 0, again_at: null })

/** Another form meanwhile; `forever` if the browser cannot show the wanted one. */
export function standIn(choice: Choice, form: string, now: number, forever: boolean): Choice {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** choice.failures, LONGEST_PAUSE_MS)
  return { ...choice, form, failures: choice.failures + 1, again_at: forever ? null : now + pause }
}

/** The wanted form again, if it is time. */
export function retried(choice: Choice, now: number): Choice {
  if (choice.again_at === null || now < choice.again_at) return choice
  return { ...choice, form: choice.wanted, again_at: null }
}

/** A picture came in the form that is shown. */
export const came = (choice: Choice): Choice =>
  choice.form === choice.wanted && choice.failures > 0 ? choose(choice.form) : choice

/** How it stands with video, in words; `null` if it is as it should be. */
export function choiceWords(choice: Choice, now: number): string | null {
  const { form, wanted, failures, again_at } = choice
  if (failures === 0) return null
  const name = wanted === 'video' ? 'video' : 'what was chosen'
  if (form === wanted) return `Trying ${name} again…`
  if (again_at === null) return `This browser cannot show ${name}: pictures instead.`
  return `No ${name} came: pictures instead. Tried again in ${Math.max(1, Math.ceil((again_at - now) / 1000))} s.`
}
