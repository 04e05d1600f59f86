// The first screen: what the robots do now, what they see, how each is, and one thing to try.

import './home.css'

import { robots } from '../../live/gateway'
import { LiveMap } from '../map/LiveMap'
import { useScene } from '../map/useScene'
import { PauseWatch } from '../robot/pause'
import { Peeks } from './Peeks'
import { Strip } from './Strip'
import { TryNow } from './TryNow'

export function HomeView() {
  const sources = useScene()
  return (
    <div class="home">
      <h1 class="visually-hidden">Overview</h1>
      <PauseWatch />
      <TryNow now={sources.now} />
      <section class="panel where" aria-label="Where the robots are">
        <header>
          <h2>Map</h2>
          <span class="spread" />
          <a href="/map">Whole map</a>
        </header>
        <LiveMap sources={sources} />
      </section>
      <Peeks />
      <section class="panel strip" aria-label="Robots">
        <header>
          <h2>Fleet</h2>
          <span class="muted">{robots.value.length}</span>
          <span class="spread" />
          <a href="/fleet">Whole table</a>
        </header>
        <Strip />
      </section>
    </div>
  )
}
