import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './style/tokens.css'
import './style/base.css'
import './style/bar.css'

import { render } from 'preact'

import { App } from './app/App'
import { watchLinks } from './app/links'
import { watchGateway } from './live/gateway'

watchLinks()
const root = document.getElementById('app')
if (root) render(<App />, root)
void watchGateway()
