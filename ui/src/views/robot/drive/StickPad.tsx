// A stick to push with a finger, a mouse or, while it has the focus, with keys.
//
//   free ──press──▶ held ──letting go, a modifier, blur, hidden, disabled, `ends` grows──▶ free, in the middle
//
// Whatever ends the grip, only a new press begins the next one: moves and repeats of what is still down are not
// heard.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { CENTRE, isDriveKey, isModified, type Stick, stickAt, stickOfKeys } from './stick'

interface Props {
  enabled: boolean
  label: string
  /** When this changes the grip ends. */
  ends: number
  onStick: (stick: Stick) => void
}

export function StickPad({ enabled, label, ends, onStick }: Props) {
  const pad = useRef<HTMLDivElement>(null)
  const pointer = useRef<number | null>(null)
  const keys = useRef(new Set<string>())
  const [stick, setStick] = useState(CENTRE)

  const push = (next: Stick) => {
    setStick(next)
    onStick(next)
  }
  const release = () => {
    const held = pointer.current
    pointer.current = null
    keys.current.clear()
    if (held !== null && pad.current?.hasPointerCapture(held)) pad.current.releasePointerCapture(held)
    push(CENTRE)
  }
  useLayoutEffect(release, [enabled, ends])
  useEndOfLooking(release)

  const follow = (event: PointerEvent) => {
    const box = pad.current?.getBoundingClientRect()
    if (!box || pointer.current !== event.pointerId) return
    push(
      stickAt(
        event.clientX - box.left - box.width / 2,
        event.clientY - box.top - box.height / 2,
        box.width / 2,
      ),
    )
  }
  const down = (event: PointerEvent) => {
    if (!enabled || event.button !== 0 || pointer.current !== null) return
    pointer.current = event.pointerId
    pad.current?.setPointerCapture(event.pointerId)
    follow(event)
  }
  const up = (event: PointerEvent) => pointer.current === event.pointerId && release()
  const keyDown = (event: KeyboardEvent) => {
    // With a modifier a key is for the browser, which may keep its end for itself.
    if (isModified(event)) {
      if (keys.current.size > 0 || pointer.current !== null) release()
      return
    }
    if (!isDriveKey(event.key)) return
    event.preventDefault()
    if (!enabled || event.repeat) return
    keys.current.add(event.key.toLowerCase())
    push(stickOfKeys(keys.current))
  }
  const keyUp = (event: KeyboardEvent) => {
    if (keys.current.delete(event.key.toLowerCase())) push(stickOfKeys(keys.current))
  }
  return (
    <div
      ref={pad}
      class="stick"
      role="application"
      aria-roledescription="stick"
      aria-label={label}
      aria-disabled={!enabled}
      tabIndex={0}
      onPointerDown={down}
      onPointerMove={follow}
      onPointerUp={up}
      onPointerCancel={up}
      onLostPointerCapture={up}
      onKeyDown={keyDown}
      onKeyUp={keyUp}
      onBlur={release}
      onContextMenu={(event) => event.preventDefault()}
    >
      <svg viewBox="-100 -100 200 200" aria-hidden="true">
        <circle class="base" r="98" />
        <path class="arrows" d="M0 -84l10 14h-20zM0 84l10 -14h-20zM-84 0l14 10v-20zM84 0l-14 10v-20z" />
        <circle class="knob" r="30" cx={stick.x * 66} cy={-stick.y * 66} />
      </svg>
    </div>
  )
}

/** Calls when nobody looks at the page any more. */
function useEndOfLooking(end: () => void): void {
  const newest = useRef(end)
  newest.current = end
  useEffect(() => {
    const gone = () => newest.current()
    const hidden = () => document.hidden && newest.current()
    window.addEventListener('blur', gone)
    window.addEventListener('pagehide', gone)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      window.removeEventListener('blur', gone)
      window.removeEventListener('pagehide', gone)
      document.removeEventListener('visibilitychange', hidden)
    }
  }, [])
}
