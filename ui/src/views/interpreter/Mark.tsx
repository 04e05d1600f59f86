// The number and colour that a field and its partners share.

import './mark.css'

export function Mark({ number, label }: { number: number; label: string }) {
  return (
    <button
      class="fieldmark"
      type="button"
      data-color={(number - 1) % 8}
      aria-label={`Field ${number}: ${label}`}
    >
      {number}
    </button>
  )
}

export const NoMark = () => <span class="fieldmark none" aria-hidden="true" />
