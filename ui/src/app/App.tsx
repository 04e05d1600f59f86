// The frame around every view.

import { Route, Router, Switch } from 'wouter-preact'
import { useHashLocation } from 'wouter-preact/use-hash-location'

import { Toasts } from '../parts/toast'
import { ROUTES } from './routes'
import { Shell } from './Shell'

export function App() {
  return (
    <Router hook={useHashLocation}>
      <Shell>
        <Switch>
          {ROUTES.map(({ path, view: View }) => (
            <Route key={path} path={path}>
              {(params) => <View params={params} />}
            </Route>
          ))}
          <Route>
            <h1>There is no such page</h1>
            <p>
              <a href="#/">Back to the overview</a>
            </p>
          </Route>
        </Switch>
      </Shell>
      <Toasts />
    </Router>
  )
}
