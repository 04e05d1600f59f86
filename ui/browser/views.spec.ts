// Every view for everybody, at each size and in both colours: nothing hidden, cut or on something else, and a checker of
// accessibility finds nothing. A view is opened once on a desk and once on a phone; size and colour change under it, as
// they do when a window is dragged. The world stands meanwhile, so that what is measured is what was seen.

import type { Page } from '@playwright/test'

import { misplaced, SIZES } from './boxes'
import type { Gateway } from './gateway'
import { accessible, expect, test } from './test'

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
  'robot with a face': { address: 'robot/misty-1', ready: '.bodydrawing' },
  household: { address: 'robot/robotkoop-1', ready: '.robot > .content' },
  interpreter: { address: 'interpreter/misty-1/battery', ready: '.interpreter section.column .fieldmark' },
  'interpreter of an inertial sensor': {
    address: 'interpreter/misty-1/imu',
    ready: '.interpreter section.column .fieldmark',
  },
  matrix: { address: 'interpreter/matrix/axbot/misty', ready: '.matrix .pairlist h3' },
  tasks: { address: 'tasks', ready: '.timeline .bar' },
  log: { address: 'log', ready: '.log .book .said' },
  connections: { address: 'connections', ready: '.connections .tablebox td:visible' },
  fleet: { address: 'fleet', ready: '.fleet [data-robot] .battery' },
}

const pace = async (gateway: Gateway, how: 'pause' | 'resume') => gateway.post('world/pace', { pace: how })

test.beforeEach(async ({ gateway }, { title }) => {
  if (title.startsWith('tasks')) await begun(gateway, title)
  await pace(gateway, 'pause')
})
test.afterEach(async ({ gateway }) => pace(gateway, 'resume'))

/** Gives a task, and waits until it is reported on: of what is older than five minutes the timeline shows nothing. */
async function begun(gateway: Gateway, id: string): Promise<void> {
  const task = { command: 'task', id, kind: 'bring', parameters: { object: 'coke' } }
  await gateway.post('robots/robotkoop-1/commands', task)
  const known = () => gateway.get<{ tasks: { id: string }[] }>('tasks')
  await expect.poll(async () => (await known()).tasks.map((it) => it.id)).toContain(id)
}

for (const [name, { address, ready, more }] of Object.entries(VIEWS)) {
  const seen = async (page: Page, open: (view: string) => Promise<void>) => {
    await open(address)
    await expect(page.locator(ready).first()).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await more?.(page)
  }

  test(`${name} on a desk`, async ({ page, open }) => {
    await page.setViewportSize(SIZES[0])
    await seen(page, open)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const viewport of SIZES) {
        await page.setViewportSize(viewport)
        await drawn(page)
        const size = `${viewport.width} wide, ${colorScheme}`
        expect(await misplaced(page), size).toEqual([])
      }
      await page.setViewportSize(SIZES[0])
      await drawn(page)
      await accessible(page, colorScheme === 'light' ? 'all' : 'colors')
    }
  })

  test.describe('with a finger', () => {
    test.use({ viewport: SIZES[2], hasTouch: true })
    test(`${name} on a phone`, async ({ page, open }) => {
      await seen(page, open)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await drawn(page)
        expect(await misplaced(page), colorScheme).toEqual([])
      }
      // The narrowest that is sold.
      await page.setViewportSize({ width: 360, height: 740 })
      await drawn(page)
      await accessible(page)
      const wider = await page.evaluate(() => {
        const main = document.getElementById('main')
        return main ? main.scrollWidth - main.clientWidth : 0
      })
      expect(wider).toBeLessThanOrEqual(0)
    })
  })
}

/** Waits until the page has taken in a new size or colour, its transitions included. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)
    const ending = document
      .getAnimations()
      .filter((it) => it.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.all(ending.map((it) => it.finished.catch(() => undefined)))
  })
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
