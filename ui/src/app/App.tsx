// The frame around every view.

import { useLayoutEffect } from 'preact/hooks'
import { Route, Switch, useLocation } from 'wouter-preact'

import { titleOf } from './addresses'
import { me } from '../live/me'
import { Login } from '../views/login/Login'
import { ROUTES } from './routes'
import { Shell } from './Shell'

export function App() {
  const [location] = useLocation()
  useLayoutEffect(() => {
    document.title = titleOf(location)
  }, [location])
  if (me.value?.has_users && me.value.name === null) return <Login />
  return (
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
            <a href="/">Back to the overview</a>
          </p>
        </Route>
      </Switch>
    </Shell>
  )
}
