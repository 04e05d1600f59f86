// Every view for everybody: a checker of accessibility finds nothing, in both colours, on desk and phone.

import { accessible, expect, test } from './test'

const VIEWS: Record<string, string> = {
  overview: '',
  fleet: 'fleet',
  map: 'map',
  robot: 'robot/misty-1',
  household: 'robot/robotkoop-1',
  interpreter: 'interpreter/misty-1/imu',
  matrix: 'interpreter/matrix/axbot/misty',
  tasks: 'tasks',
  log: 'log',
  connections: 'connections',
}

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme })
    for (const [name, view] of Object.entries(VIEWS)) {
      test(`${name} is accessible`, async ({ page, open }) => {
        await open(view)
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        await accessible(page)
      })
    }
  })
}

test.describe('phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })
  for (const [name, view] of Object.entries(VIEWS)) {
    test(`${name} fits a phone`, async ({ page, open }) => {
      await open(view)
      await accessible(page)
      const wider = await page.evaluate(() => {
        const main = document.getElementById('main')
        return main ? main.scrollWidth - main.clientWidth : 0
      })
      expect(wider).toBeLessThanOrEqual(0)
    })
  }
})
