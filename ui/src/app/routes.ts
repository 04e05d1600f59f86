// Where every view is. A new view is a line here, one in `addresses.ts`, and one in the gateway's list of views.

import { Activity, Bot, Cable, Languages, ListChecks, Map, ScrollText } from 'lucide-preact'
import type { ComponentType } from 'preact'

import { ConnectionsView } from '../views/connections/ConnectionsView'
import { FleetView } from '../views/fleet/FleetView'
import { InterpreterView } from '../views/interpreter/InterpreterView'
import { LogView } from '../views/log/LogView'
import { MapView } from '../views/map/MapView'
import { RobotView } from '../views/robot/RobotView'
import { TasksView } from '../views/tasks/TasksView'
import { base, VIEWS, type ViewPath } from './addresses'

export { base }

export interface Route {
  path: ViewPath
  /** In the navigation, if it is there. */
  label?: string
  icon?: typeof Activity
  view: ComponentType<{ params: Record<string, string | undefined> }>
}

const route = (path: ViewPath, icon: typeof Activity, view: Route['view']): Route => ({
  path,
  label: VIEWS[path],
  icon,
  view,
})

export const ROUTES: Route[] = [
  route('/', Bot, FleetView),
  route('/map', Map, MapView),
  route('/interpreter/*?', Languages, InterpreterView),
  route('/tasks', ListChecks, TasksView),
  route('/log', ScrollText, LogView),
  route('/connections', Cable, ConnectionsView),
  { path: '/robot/:robot', view: RobotView },
]
