// Measures a view as it stands: every control and every text can be reached, none is cut, none is on another.

import type { Page } from '@playwright/test'

/** A desk's, a small laptop's and a phone's. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const

/** What is wrong with the boxes of a page, in words. */
export const misplaced = (page: Page): Promise<string[]> => page.evaluate(measure)

/** Runs in the page, so it has nothing from outside. */
function measure(): string[] {
  /** Rounding, and the edge of a letter. */
  const SLACK = 2
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role="button"], [role="application"]'
  /** Not seen by design: the link that skips, and what lies in a drawing. */
  const LEFT_OUT = '.skip, svg, canvas, option, script, style, noscript'

  interface Box {
    left: number
    top: number
    right: number
    bottom: number
  }
  interface Item {
    element: Element
    words: string
    box: Box
    /** What of it can be seen in the scroll containers around it. */
    seen: Box
  }

  const found: string[] = []
  const items: Item[] = []

  const clip = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  })
  const isEmpty = (box: Box) => box.right - box.left <= SLACK || box.bottom - box.top <= SLACK
  const within = (a: Box, b: Box) =>
    a.left >= b.left - SLACK &&
    a.right <= b.right + SLACK &&
    a.top >= b.top - SLACK &&
    a.bottom <= b.bottom + SLACK
  const short = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 40)

  /** Goes up to the first container that scrolls: what hides on the way cuts, what scrolls can be reached. */
  const reach = (element: Element, words: string, box: Box): void => {
    let seen = box
    let scrolls = false
    for (let up: Element | null = element; up; up = up.parentElement) {
      const style = getComputedStyle(up)
      const of: Box = up.getBoundingClientRect()
      const [x, y] = [style.overflowX, style.overflowY]
      if (up !== element && /hidden|clip/.test(x + y) && !scrolls && !within(box, of)) {
        const ellipsis = getComputedStyle(up).textOverflow === 'ellipsis' || lines(up)
        if (!(ellipsis && up.closest('[title]'))) found.push(`${words}: cut by ${nameOf(up)}`)
      }
      if (/auto|scroll/.test(x + y)) {
        if (
          !scrolls &&
          !/auto|scroll/.test(x) &&
          (box.left < of.left - SLACK || box.right > of.right + SLACK)
        ) {
          found.push(`${words}: beside ${nameOf(up)}, which scrolls up and down only`)
        }
        scrolls = true
      }
      if (/auto|scroll|hidden|clip/.test(x + y)) seen = clip(seen, of)
      // What is fixed is cut by nothing around it.
      if (style.position === 'fixed') break
    }
    const screen: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    if (!scrolls && !within(box, screen)) found.push(`${words}: outside the window`)
    seen = clip(seen, screen)
    if (!isEmpty(seen)) items.push({ element, words, box, seen })
  }

  const cuts = (element: Element) =>
    /hidden|clip/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1
  /** The element around a text that ends it with an ellipsis, if it does. */
  const shortened = (element: Element): Element | null => {
    for (let up: Element | null = element; up; up = up.parentElement) {
      if (getComputedStyle(up).textOverflow === 'ellipsis' && cuts(up)) return up
      if (getComputedStyle(up).display !== 'inline') return null
    }
    return null
  }
  /** For screen readers only. */
  const unseen = (element: Element) => getComputedStyle(element).clipPath === 'inset(50%)'

  const lines = (element: Element) => getComputedStyle(element).webkitLineClamp !== 'none'
  const nameOf = (element: Element) =>
    element.tagName.toLowerCase() + [...element.classList].map((name) => `.${name}`).join('')

  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest(LEFT_OUT) || unseen(element)) continue
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    if (element.matches(CONTROLS)) {
      const words = `“${short(element.getAttribute('aria-label') ?? element.textContent)}” ${nameOf(element)}`
      reach(element, words, element.getBoundingClientRect())
    }
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || short(node.textContent ?? '') === '') continue
      const words = `“${short(node.textContent ?? '')}” in ${nameOf(element)}`
      const range = document.createRange()
      range.selectNodeContents(node)
      const ending = shortened(element)
      const clipped = ending ?? element
      if (ending && !element.closest('[title]')) found.push(`${words}: an ellipsis without a title`)
      if (!ending && cuts(element)) found.push(`${words}: cut without an ellipsis`)
      const own = clipped.getBoundingClientRect()
      const around = element.closest(CONTROLS)
      for (const line of range.getClientRects()) {
        // A text with an ellipsis is as wide as its element.
        const box = ending ? clip(line, own) : line
        if (around && !within(box, around.getBoundingClientRect()) && !element.closest('[title]')) {
          found.push(`${words}: sticks out of its control`)
        }
        reach(element, words, box)
      }
    }
  }

  // From the top down, so that only those below are looked at that begin before one ends: a log has thousands of pairs.
  items.sort((one, other) => one.seen.top - other.seen.top)
  items.forEach((one, at) => {
    for (let below = at + 1; below < items.length; below++) {
      const other = items[below] as Item
      if (other.seen.top >= one.seen.bottom - SLACK) break
      if (isEmpty(clip(one.seen, other.seen))) continue
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue
      found.push(`${one.words} and ${other.words}: on each other`)
    }
  })
  return [...new Set(found)]
}
