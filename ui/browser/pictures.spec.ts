// The pictures of the README, taken from the demo as it runs. `PICTURES=1` keeps them in docs/pictures.

import path from 'node:path'

import { Gateway } from './gateway'
import { expect, test } from './test'

const FOLDER = path.resolve(import.meta.dirname, '../../docs/pictures')
const keep = process.env.PICTURES === '1'

const PICTURES: Record<string, { view: string; scheme?: 'dark'; ready: RegExp; choose?: string }> = {
  fleet: { view: 'fleet', ready: /misty-1/ },
  map: { view: 'map', ready: /Put a box/, choose: 'axbot-1' },
  robot: { view: 'robot/axbot-1', scheme: 'dark', ready: /pictures\/s/ },
  interpreter: { view: 'interpreter/misty-1/battery', ready: /battery_state/ },
}

test.use({ viewport: { width: 1440, height: 900 } })

for (const [name, { view, scheme, ready, choose }] of Object.entries(PICTURES)) {
  test(`the picture of ${name}`, async ({ page }) => {
    const gateway = await Gateway.start(['demo', '--seed', '7'])
    try {
      await page.emulateMedia({ colorScheme: scheme ?? 'light' })
      await page.goto(`${gateway.url}/${view}`)
      await expect(page.locator('main')).toContainText(ready)
      if (choose) await page.getByLabel('Robot', { exact: true }).selectOption(choose)
      // Trails and rates need some seconds of the world to look like something.
      await expect
        .poll(async () => (await gateway.get<{ now: { time_s: number } }>('world')).now.time_s)
        .toBeGreaterThan(keep ? 12 : 1)
      const picture = await page.screenshot(keep ? { path: path.join(FOLDER, `${name}.png`) } : {})
      expect(picture.length).toBeGreaterThan(20_000)
    } finally {
      // A page whose gateway goes would complain.
      await page.goto('about:blank')
      await gateway.stop()
    }
  })
}
