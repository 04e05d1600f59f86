// Links between views: each view has an address of its own, and a click on a link to one changes the view only.

import { navigate } from 'wouter-preact/use-browser-location'

import { isView } from './addresses'

/** Shows the view of an address whose fragment names it, as in `/#/map`, at the address that views have now. */
function followFragment(): void {
  const { hash } = window.location
  if (hash.startsWith('#/')) navigate(hash.slice(1), { replace: true })
}

/** Follows a link within the page, unless the browser is asked for more, such as a new tab. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.hasAttribute('download') || link.origin !== window.location.origin) return
  const address = link.hash.startsWith('#/') ? link.hash.slice(1) : link.pathname + link.search
  if (link.hash !== '' && !link.hash.startsWith('#/')) return
  if (!isView(address)) return
  event.preventDefault()
  if (address !== window.location.pathname + window.location.search) navigate(address)
}

export function watchLinks(): void {
  followFragment()
  window.addEventListener('hashchange', followFragment)
  document.addEventListener('click', follow)
}
