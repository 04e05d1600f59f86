// Whether an element is on the screen of a page that is shown, so that pictures are asked for only then.

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export function useWatched(element: RefObject<Element>): boolean {
  const [near, setNear] = useState(false)
  const [visible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true))
    if (element.current) observer.observe(element.current)
    const change = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', change)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', change)
    }
  }, [element])
  return near && visible
}
