// Which addresses are views, and what the page is called there.

/** Patterns of addresses with the name of the view; the gateway answers the same ones with this page. */
export const VIEWS = {
  '/': 'Overview',
  '/map': 'Map',
  '/fleet': 'Fleet',
  // Before the interpreter's, of which it is a part.
  '/interpreter/matrix/*?': 'Matrix',
  '/interpreter/*?': 'Interpreter',
  '/tasks': 'Tasks',
  '/log': 'Log',
  '/connections': 'Connections',
  '/robot/:robot': 'Robot',
} as const

export type ViewPath = keyof typeof VIEWS

/** The address of a view without its parameters. */
export const base = (path: string) => path.split(/\/[:*]/)[0] || '/'

/** The view of an address. */
function viewOf(address: string): ViewPath | null {
  const [path = '/'] = address.split('?')
  const found = Object.keys(VIEWS).find((view) => {
    const start = base(view)
    if (view.endsWith('*?')) return path === start || path.startsWith(`${start}/`)
    return view === start ? path === view : new RegExp(`^${start}/[^/]+$`).test(path)
  })
  return (found as ViewPath | undefined) ?? null
}

export const isView = (address: string) => viewOf(address) !== null

/** What the window is called: what is looked at first, since tabs show little else. */
export function titleOf(address: string): string {
  const view = viewOf(address)
  if (view === null) return 'Not found · Latimer'
  const [, rest] = address.split(`${base(view)}/`)
  const of = view === '/' || !rest ? '' : decodeURIComponent(rest)
  if (view === '/robot/:robot') return `${of} · Latimer`
  return of === '' ? `${VIEWS[view]} · Latimer` : `${of} · ${VIEWS[view]} · Latimer`
}
