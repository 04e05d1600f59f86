import preact from '@preact/preset-vite'
import { defineConfig } from 'vitest/config'

// While the page is worked on, `npm run dev` serves it and passes everything else to a running gateway.
const gateway = process.env.LATIMER_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [preact({ devToolsEnabled: false, prefreshEnabled: true })],
  test: { include: ['src/**/*.test.ts'] },
  build: {
    target: 'es2023',
    outDir: 'dist/page',
    emptyOutDir: true,
    // A page that allows no data in its addresses needs files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2048,
    rollupOptions: { input: { index: 'index.html', docs: 'docs.html' } },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': { target: gateway, ws: true },
      '/metrics': { target: gateway },
    },
  },
})
