// Views at the widths of a desk, a small laptop and a phone: nothing hidden, cut or on something else.

import type { Page } from '@playwright/test'

import { misplaced, SIZES } from './boxes'
import { expect, test } from './test'

interface View {
  address: string
  /** There once the view has its data. */
  ready: string
  /** What is opened before it is measured. */
  more?: (page: Page) => Promise<void>
}

const VIEWS: Record<string, View> = {
  overview: { address: '', ready: '.strip [data-robot] .status' },
  map: { address: 'map', ready: '.livemap canvas[data-fps]' },
  'map with all its panels': {
    address: 'map',
    ready: '.livemap canvas[data-fps]',
    more: async (page) => {
      await page.getByLabel('Robot', { exact: true }).selectOption('axbot-1')
      await page.getByRole('button', { name: 'Layers' }).click()
      await page.getByText('Make something happen').click()
    },
  },
  robot: { address: 'robot/axbot-1', ready: '.bodydrawing .outline' },
  interpreter: { address: 'interpreter/misty-1/battery', ready: '.interpreter section.column .fieldmark' },
  matrix: { address: 'interpreter/matrix/axbot/misty', ready: '.matrix .pairlist h3' },
  tasks: { address: 'tasks', ready: '.timeline .bar' },
  log: { address: 'log', ready: '.log .book .said' },
  connections: { address: 'connections', ready: '.connections .tablebox td:visible' },
  fleet: { address: 'fleet', ready: '.fleet [data-robot] .battery' },
}

for (const viewport of SIZES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`${viewport.width} wide, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme })
      for (const [name, { address, ready, more }] of Object.entries(VIEWS)) {
        test(name, async ({ page, open }, info) => {
          await open(address)
          await expect(page.locator(ready).first()).toBeVisible()
          await more?.(page)
          await info.attach(`${name}-${viewport.width}-${colorScheme}`, {
            body: await page.screenshot(),
            contentType: 'image/png',
          })
          expect(await misplaced(page)).toEqual([])
        })
      }
    })
  }
}

test('a phone has every view in its navigation', async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open('')
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('button', { name: 'More' }).click()
  expect(await misplaced(page).then((found) => found.filter((it) => !it.includes('on each other')))).toEqual(
    [],
  )
  await views.getByRole('link', { name: 'Connections' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Connections' })).toBeVisible()
  await expect(views.getByRole('link', { name: 'Connections' })).toBeHidden()
})
