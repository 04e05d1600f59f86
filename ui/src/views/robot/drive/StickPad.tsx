// A stick to push with a finger, a mouse or, while it has the focus, with keys.

import { useRef, useState } from 'preact/hooks'

import { CENTRE, isDriveKey, type Stick, stickAt, stickOfKeys } from './stick'

interface Props {
  enabled: boolean
  label: string
  onStick: (stick: Stick) => void
}

export function StickPad({ enabled, label, onStick }: Props) {
  const pad = useRef<HTMLDivElement>(null)
  const pointer = useRef<number | null>(null)
  const keys = useRef(new Set<string>())
  const [stick, setStick] = useState(CENTRE)

  const push = (next: Stick) => {
    setStick(next)
    onStick(next)
  }
  const release = () => {
    pointer.current = null
    keys.current.clear()
    push(CENTRE)
  }
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
  const key = (event: KeyboardEvent) => {
    if (!isDriveKey(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (!enabled || event.repeat) return
    if (event.type === 'keydown') keys.current.add(event.key.toLowerCase())
    else keys.current.delete(event.key.toLowerCase())
    push(stickOfKeys(keys.current))
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
      onKeyDown={key}
      onKeyUp={key}
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
