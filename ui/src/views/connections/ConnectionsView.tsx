// Who reads from the gateway, how it reaches its robots, and where others can connect.

import './connections.css'

import { Endpoints } from './Endpoints'
import { Links } from './Links'
import { Sessions } from './Sessions'
import { Sinks } from './Sinks'
import { Traffic } from './Traffic'

export function ConnectionsView(_: { params: Record<string, string | undefined> }) {
  return (
    <div class="connections">
      <h1>Connections</h1>
      <Sinks />
      <Sessions />
      <Links />
      <Endpoints />
      <Traffic />
    </div>
  )
}
