// Where every view is. A new view is a line here, one in `addresses.ts`, and one in the gateway's list of views.

import { Activity, Bot, Cable, House, Languages, ListChecks, Map, ScrollText } from 'lucide-preact'
import type { ComponentType } from 'preact'

import { ConnectionsView } from '../views/connections/ConnectionsView'
import { FleetView } from '../views/fleet/FleetView'
import { HomeView } from '../views/home/HomeView'
import { InterpreterView } from '../views/interpreter/InterpreterView'
import { MatrixView } from '../views/interpreter/matrix/MatrixView'
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
  /** On a phone it is behind `More`. */
  later?: true
  view: ComponentType<{ params: Record<string, string | undefined> }>
}

const route = (path: ViewPath, icon: typeof Activity, view: Route['view']): Route => ({
  path,
  label: VIEWS[path],
  icon,
  view,
})

export const ROUTES: Route[] = [
  route('/', House, HomeView),
  route('/map', Map, MapView),
  route('/fleet', Bot, FleetView),
  { path: '/interpreter/matrix/*?', view: MatrixView },
  route('/interpreter/*?', Languages, InterpreterView),
  route('/tasks', ListChecks, TasksView),
  { ...route('/log', ScrollText, LogView), later: true },
  { ...route('/connections', Cable, ConnectionsView), later: true },
  { path: '/robot/:robot', view: RobotView },
]
