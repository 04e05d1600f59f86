// The API's documentation: what the gateway says of itself, to browse and to try out.

import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import 'swagger-ui-dist/swagger-ui.css'
import './style/tokens.css'
import './style/base.css'
import './style/bar.css'
import './docs.css'

import { effect } from '@preact/signals'
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'

import { theme } from './app/theme'

SwaggerUI({
  url: '/api/v1/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tryItOutEnabled: true,
  // Nothing of this page goes to anybody else.
  validatorUrl: null,
})

// Swagger UI has colours for the dark of its own, under this name.
effect(() => void document.documentElement.classList.toggle('dark-mode', theme.value === 'dark'))
