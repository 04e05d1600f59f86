// Navigation, the gateway's state, and the view between them.

import './shell.css'

import { Code, Ellipsis, LogOut, Moon, Sun } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'

import { config, health, reach, robots } from '../live/gateway'
import { logOut, me } from '../live/me'
import { age } from '../live/time'
import { EmergencyStop } from '../parts/EmergencyStop'
import { Toasts } from '../parts/toast'
import { WorldPace } from '../parts/WorldPace'
import { base, type Route, ROUTES } from './routes'
import { switchTheme, theme } from './theme'

export function Shell({ children }: { children: ComponentChildren }) {
  const [location] = useLocation()
  const lost = reach.value === 'lost'
  return (
    <div class="shell" data-lost={lost}>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <header class="bar">
        <a class="brand" href="/">
          <img src="/favicon.svg" alt="" width="26" height="26" />
          Latimer
        </a>
        <GatewayState />
        <span class="spread" />
        <EmergencyStop />
        <WorldPace />
        {me.value?.has_users && (
          <button
            class="button quiet"
            type="button"
            title={`You are ${me.value.name ?? 'nobody'}`}
            aria-label="Log out"
            onClick={() => void logOut()}
          >
            <LogOut size={18} />
          </button>
        )}
        <button
          class="button quiet"
          type="button"
          onClick={switchTheme}
          aria-label={theme.value === 'dark' ? 'Use light colours' : 'Use dark colours'}
        >
          {theme.value === 'dark' ? <Sun size={18} /> : <Moon size={18} />}
        </button>
      </header>
      <Nav location={location} />
      <main id="main" tabIndex={-1}>
        {lost && (
          <p class="banner" role="alert">
            The gateway does not answer. What you see is from before; the page tries again by itself.
          </p>
        )}
        {me.value?.insecure && (
          <p class="banner" role="status">
            Other machines reach {me.value.insecure.join(', ')} without encryption or password.
          </p>
        )}
        {config.value?.error && (
          <p class="banner" role="alert">
            The config was not read again, and what was read before holds: {config.value.error}
          </p>
        )}
        {config.value?.doubts.map((doubt) => (
          <p key={doubt} class="banner" role="status">
            Config: {doubt}
          </p>
        ))}
        {children}
      </main>
      <Toasts />
    </div>
  )
}

function Nav({ location }: { location: string }) {
  const [more, setMore] = useState(false)
  useEffect(() => setMore(false), [location])
  const named = ROUTES.filter((route) => route.label)
  const link = (route: Route) => <NavLink key={route.path} route={route} location={location} />
  return (
    <nav class="nav" aria-label="Views">
      {named.filter((route) => !route.later).map(link)}
      <button
        class="more"
        type="button"
        aria-expanded={more}
        aria-controls="nav-later"
        onClick={() => setMore(!more)}
      >
        <Ellipsis size={20} />
        <span>More</span>
      </button>
      <div id="nav-later" class="later" data-open={more}>
        {named.filter((route) => route.later).map(link)}
        <a href="/docs/api" class="last">
          <Code size={20} />
          <span>API</span>
        </a>
      </div>
    </nav>
  )
}

function NavLink({ route: { path, label, icon: Icon }, location }: { route: Route; location: string }) {
  const target = base(path)
  const here =
    target === '/'
      ? location === '/'
      : location.startsWith(target) || (target === '/fleet' && location.startsWith('/robot/'))
  return (
    <a href={target} aria-current={here ? 'page' : undefined}>
      {Icon && <Icon size={20} />}
      <span>{label}</span>
    </a>
  )
}

function GatewayState() {
  if (reach.value === 'connecting') return <span class="gateway muted">Connecting…</span>
  if (reach.value === 'lost') return <span class="gateway bad">No connection</span>
  const down = robots.value.filter((robot) => robot.link.state !== 'up').length
  const uptime = health.value ? ` · up ${age(health.value.uptime_s * 1000)}` : ''
  return (
    <span class="gateway" title={`Latimer ${health.value?.version ?? ''}${uptime}`}>
      {robots.value.length} {robots.value.length === 1 ? 'robot' : 'robots'}
      {down > 0 ? `, ${down} not connected` : ''}
    </span>
  )
}

/** The address stays that of the view, so the link moves the focus itself. */
function focusMain(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
