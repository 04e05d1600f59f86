// Where every view is. A new view is a line here.

import { Activity, Bot, Cable, House, Languages, ListChecks, Map, ScrollText } from 'lucide-preact'
import type { ComponentType } from 'preact'

import { ConnectionsView } from '../views/connections/ConnectionsView'
import { FleetView } from '../views/fleet/FleetView'
import { HomeView } from '../views/home/HomeView'
import { InterpreterView } from '../views/interpreter/InterpreterView'
import { LogView } from '../views/log/LogView'
import { MapView } from '../views/map/MapView'
import { RobotView } from '../views/robot/RobotView'
import { TasksView } from '../views/tasks/TasksView'

export interface Route {
  path: string
  /** In the navigation, if it is there. */
  label?: string
  icon?: typeof Activity
  /** On a phone it is behind `More`. */
  later?: true
  view: ComponentType<{ params: Record<string, string | undefined> }>
}

export const ROUTES: Route[] = [
  { path: '/', label: 'Overview', icon: House, view: HomeView },
  { path: '/map', label: 'Map', icon: Map, view: MapView },
  { path: '/fleet', label: 'Fleet', icon: Bot, view: FleetView },
  { path: '/interpreter/*?', label: 'Interpreter', icon: Languages, view: InterpreterView },
  { path: '/tasks', label: 'Tasks', icon: ListChecks, view: TasksView },
  { path: '/log', label: 'Log', icon: ScrollText, later: true, view: LogView },
  { path: '/connections', label: 'Connections', icon: Cable, later: true, view: ConnectionsView },
  { path: '/robot/:robot', view: RobotView },
]

/** The address of a view without its parameters. */
export const base = (path: string) => path.split(/\/[:*]/)[0] || '/'
