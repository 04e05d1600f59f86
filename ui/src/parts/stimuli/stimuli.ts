// What can be made to happen to a simulated robot, as buttons and small forms.

import type { Figure } from '../../api/types'
import { words } from '../../live/read'

export interface Entry {
  name: string
  label: string
  kind: 'text' | 'number' | 'part'
  /** What is in the field at first; what is left empty is the gateway's default. */
  first: string
  /** In the page's unit; sent times this. */
  factor?: number
  unit?: string
  min?: number
  max?: number
  optional?: true
}

export interface StimulusForm {
  stimulus: string
  label: string
  entries: Entry[]
  /** Sent with it. */
  fixed?: Record<string, unknown>
}

const DEG = Math.PI / 180
const share = (name: string, label: string, first: string): Entry => ({
  name,
  label,
  kind: 'number',
  first,
  factor: 0.01,
  unit: '%',
  min: 0,
  max: 100,
})
const number = (name: string, label: string, first: string, unit: string, factor = 1): Entry => ({
  name,
  label,
  kind: 'number',
  first,
  unit,
  factor,
})
const bearing = number('bearing_rad', 'Direction', '0', '°', DEG)
const hold: Entry = { ...number('hold_s', 'For', '', 's'), optional: true }
const text: Entry = { name: 'text', label: 'Text', kind: 'text', first: 'hello' }
const part: Entry = { name: 'part', label: 'Part', kind: 'part', first: '' }

const FORMS: StimulusForm[] = [
  { stimulus: 'touch', label: 'Touch', entries: [part, hold] },
  { stimulus: 'bump', label: 'Bump', entries: [part, hold] },
  {
    stimulus: 'key_phrase',
    label: 'Say the key phrase',
    entries: [{ ...share('confidence_ratio', 'Clarity', ''), optional: true }],
  },
  {
    stimulus: 'face',
    label: 'Show a face',
    entries: [{ name: 'label', label: 'Name', kind: 'text', first: '', optional: true }, bearing, hold],
  },
  { stimulus: 'sound', label: 'Speak', entries: [bearing, hold], fixed: { voice: true } },
  { stimulus: 'sound', label: 'Make a noise', entries: [bearing, hold], fixed: { voice: false } },
  { stimulus: 'lift', label: 'Lift', entries: [hold] },
  { stimulus: 'battery', label: 'Set the battery', entries: [share('charge_ratio', 'Charge', '15')] },
  { stimulus: 'emergency_stop', label: 'Press its emergency stop', entries: [], fixed: { pressed: true } },
  { stimulus: 'emergency_stop', label: 'Release its emergency stop', entries: [], fixed: { pressed: false } },
  {
    stimulus: 'place',
    label: 'Put elsewhere',
    entries: [number('x_m', 'x', '0', 'm'), number('y_m', 'y', '0', 'm')],
  },
  { stimulus: 'lose_pose', label: 'Lose the pose', entries: [] },
  { stimulus: 'fail', label: 'Break', entries: [part, hold] },
  {
    stimulus: 'forget_home',
    label: 'Forget where it belongs',
    entries: [{ name: 'object', label: 'Object', kind: 'text', first: '' }],
  },
  { stimulus: 'heat', label: 'Heat', entries: [number('temperature_c', 'To', '70', '°C'), hold] },
  { stimulus: 'serial', label: 'Send on the serial line', entries: [text] },
  { stimulus: 'skill_message', label: 'Publish as a skill', entries: [text] },
]

export const formsFor = (figure: Figure | undefined) =>
  FORMS.filter((form) => figure?.stimuli.includes(form.stimulus)).map((form) =>
    form.stimulus === 'key_phrase' && figure?.key_phrase
      ? { ...form, label: `Say “${figure.key_phrase}”` }
      : form,
  )

const isBumper = (part: string) => /bump/.test(part)

/** The parts that a stimulus can be about. */
export function partsFor(figure: Figure | undefined, stimulus: string): { part: string; label: string }[] {
  const found = (figure?.parts ?? []).filter((it) => {
    if (stimulus === 'fail') return it.kind !== 'contact'
    if (it.kind !== 'contact') return false
    return isBumper(it.part) === (stimulus === 'bump')
  })
  const unique = new Map(found.map((it) => [it.part, it.label || words(it.part)]))
  return [...unique].map(([part, label]) => ({ part, label }))
}

/** What is sent; an empty text is left out. */
export function pokeOf(form: StimulusForm, given: Record<string, string>): Record<string, unknown> {
  const body: Record<string, unknown> = { stimulus: form.stimulus, ...form.fixed }
  for (const entry of form.entries) {
    const value = given[entry.name] ?? entry.first
    if (value === '') continue
    body[entry.name] = entry.kind === 'number' ? Number(value) * (entry.factor ?? 1) : value
  }
  return body
}
