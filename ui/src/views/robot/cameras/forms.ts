// The cameras of a robot and the forms in which each delivers.

import type { Figure } from '../../../api/types'

export interface CameraForms {
  part: string
  /** Kinds, the lightest one first. */
  forms: string[]
}

const ORDER = ['video', 'compressed_image', 'image']

export function camerasOf(figure: Figure | undefined): CameraForms[] {
  const cameras = new Map<string, string[]>()
  for (const { kind, part } of figure?.cameras ?? []) {
    if (ORDER.includes(kind)) cameras.set(part, [...(cameras.get(part) ?? []), kind])
  }
  return [...cameras].map(([part, forms]) => ({
    part,
    forms: forms.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
  }))
}

export const FORM_NAMES: Record<string, string> = {
  video: 'Video (H.264)',
  compressed_image: 'Pictures (JPEG, PNG)',
  image: 'Raw pixels',
}
