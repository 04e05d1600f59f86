// The API's documentation: what the gateway says of itself, to browse and to try out.

import 'swagger-ui-dist/swagger-ui.css'
import './docs.css'

import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'

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
