// The page in Debian's chromium, against a demo of the program as it was built.

import { fileURLToPath } from 'node:url'

import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'browser',
  outputDir: 'test-results',
  // One gateway and two cores: one after the other.
  workers: 1,
  // They tell a page that hangs from a machine that is busy, and nothing else.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1360, height: 860 },
    colorScheme: 'light',
    // A trace takes as long as the test: TRACE=1 keeps one of each test that fails.
    trace: process.env.TRACE === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: fileURLToPath(new URL('browser/chromium', import.meta.url)),
      // In a container there is neither a sandbox nor much shared memory.
      // 3-D is drawn without a graphics card.
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-unsafe-swiftshader'],
    },
  },
})
