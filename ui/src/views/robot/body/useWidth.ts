// How wide an element is on the screen, so that writing in a drawing keeps its size on every screen.

import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

export function useWidth(element: RefObject<Element>): number {
  const [width, setWidth] = useState(480)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width))
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
