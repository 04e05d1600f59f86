import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

import type { Request } from '@playwright/test'

import { expect, test } from './test'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** What a request asks of a robot, if it does. */
const commandOf = (request: Request) =>
  request.method() === 'POST' ? (request.postDataJSON() as { command?: string }).command : undefined

test('gauges, pictures and charts show what the robot says', async ({ page, open }) => {
  await open('robot/misty-1')
  await expect(page.getByRole('heading', { level: 1, name: 'misty-1' })).toBeVisible()
  // A distance for the sensor, and the floor below.
  await expect(page.locator('.body-surroundings, main')).toContainText('Floor below')
  await expect(page.getByRole('img', { name: /The robot from above/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Yaw -?|^Yaw −?/ })).toBeVisible()
  // Pictures arrive and are decoded: the words below tell size and rate.
  await expect(page.getByText(/640 × 480 · [\d.]+ pictures\/s/).first()).toBeVisible()
  // What has no drawing is shown by the shape of its kind.
  await expect(page.getByRole('region', { name: 'More values' })).toContainText('Firmware')
  await page.getByRole('tab', { name: 'Charts' }).click()
  await expect(page.getByRole('img', { name: /^Chart of/ }).first()).toBeVisible()
  await page.getByRole('tab', { name: 'Values' }).click()
  const values = page.getByRole('region', { name: 'Last values' })
  await expect(values).toContainText('battery')
  await page.getByLabel('Filter by key or value').fill('imu')
  await expect(values).not.toContainText('battery')
})

test.describe('driving', () => {
  // A drive that its stop overtakes is refused, which browsers write down.
  test.use({ allowed: { words: [/409/] } })

  test('driving moves the robot, and letting go stops it', async ({ page, open, gateway }) => {
    // Wherever the tests before left it, here nothing is in its way.
    await expect(() =>
      gateway.poke('misty-1', { stimulus: 'place', x_m: 2.1, y_m: 1.2, yaw_rad: 0 }),
    ).toPass()
    await open('robot/misty-1')
    const stick = page.getByRole('application', { name: /^Drive misty-1/ })
    await page.getByLabel('Armed').check()
    await stick.focus()
    const before = await gateway.pose('misty-1')
    const turned = async () => {
      const now = await gateway.pose('misty-1')
      return Math.hypot(now.x_m - before.x_m, now.y_m - before.y_m) + Math.abs(now.yaw_rad - before.yaw_rad)
    }
    await page.keyboard.down('a')
    await expect.poll(turned).toBeGreaterThan(0.3)
    // The robot takes the stop. Where it goes afterwards is its habit's business, so nobody looks at that.
    const stopped = page.waitForResponse((response) => commandOf(response.request()) === 'stop')
    await page.keyboard.up('a')
    expect((await stopped).ok()).toBe(true)
  })

  test('what ends the grip of the stick stops, and only a new press drives again', async ({ page, open }) => {
    await open('robot/misty-1')
    const asked: string[] = []
    page.on('request', (request) => {
      const command = commandOf(request)
      if (command) asked.push(command)
    })
    const stick = page.getByRole('application', { name: /^Drive misty-1/ })
    const armed = page.getByLabel('Armed')
    const drives = async () => {
      asked.length = 0
      await expect.poll(() => asked).toContain('drive')
    }
    const rests = async () => {
      await expect.poll(() => asked).toContain('stop')
      await expect(stick.locator('.knob')).toHaveAttribute('cx', '0')
      await expect(stick.locator('.knob')).toHaveAttribute('cy', /^-?0$/)
      asked.length = 0
      await renewals()
      expect(asked).not.toContain('drive')
    }
    await armed.check()

    // The end of a key that is let go with a modifier is heard, and the modifier stops by itself.
    await stick.focus()
    await page.keyboard.down('w')
    await drives()
    await page.keyboard.down('Control')
    await rests()
    await page.keyboard.up('w')
    await page.keyboard.up('Control')
    await renewals()
    expect(asked).not.toContain('drive')

    const box = await stick.boundingBox()
    if (!box) throw new Error('no stick')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const grip = async () => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y - 40)
      await drives()
    }
    await grip()
    await page.evaluate(() => window.dispatchEvent(new Event('blur')))
    await rests()
    await page.mouse.move(x + 10, y - 30)
    await still()
    await page.mouse.up()

    await grip()
    await armed.evaluate((box: HTMLInputElement) => box.click())
    await rests()
    await armed.evaluate((box: HTMLInputElement) => box.click())
    await page.mouse.move(x - 10, y - 30)
    await still()
    await page.mouse.up()
    await grip()
    await page.mouse.up()
    await rests()

    /** Nothing is asked for, though what is held moves. */
    async function still(): Promise<void> {
      asked.length = 0
      await renewals()
      expect(asked).toEqual([])
    }

    /** As long as the page takes to ask for a drive again, by its own timers. */
    async function renewals(): Promise<void> {
      await page.evaluate(() => new Promise((done) => setTimeout(done, 400)))
    }
  })
})

test('a bumper pressed on the page reaches a Misty client and lights up', async ({ page, open, gateway }) => {
  const { robots } = await gateway.get<{
    robots: { robot: string; endpoints: { dialect: string; url: string }[] }[]
  }>('robots')
  const own = robots
    .find((it) => it.robot === 'misty-1')
    ?.endpoints.find((it) => it.dialect === 'misty' && !new URL(it.url).pathname.includes('/robots/'))
  if (!own) throw new Error('misty-1 has no port of its own')
  const client = spawn(path.join(ROOT, '.venv-sdk/bin/python'), [
    path.join(ROOT, 'tests/python/misty_bump.py'),
    new URL(own.url).host,
    'bfl',
  ])
  try {
    const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('ready')
    // The SDK connects in a thread of its own, after it says that it listens.
    const follows = async () => {
      const { sinks } = await gateway.get<{ sinks: { dialect: string; selects: string[] }[] }>('sinks')
      return sinks.some((it) => it.dialect === 'misty' && it.selects.join().includes('misty-1/contact'))
    }
    await expect.poll(follows).toBe(true)
    await open('robot/misty-1')
    const happening = page.locator('form.stimuli')
    await happening.getByLabel('What').selectOption({ label: 'Bump' })
    await happening.getByLabel('Part').selectOption({ label: 'Bump front left' })
    await happening.getByRole('button', { name: 'Do it' }).click()
    expect((await lines.next()).value).toBe('bfl')
    await expect(page.getByText('Bump front left').first().locator('..')).not.toContainText('no event yet')
  } finally {
    client.kill()
  }
})

test('a joint moves where its slider is put', async ({ page, open, gateway }) => {
  await open('robot/misty-1')
  const slider = page.getByRole('slider', { name: 'Move Arm left' })
  await slider.fill('0.5')
  const angle = async () => {
    const { updates } = await gateway.get<{ updates: { data: { position_rad: number } }[] }>(
      'last?select=misty-1/joint/arm_left',
    )
    return updates[0]?.data.position_rad
  }
  await expect.poll(angle).toBeCloseTo(0.5, 1)
})

test('a robot is sent somewhere by its page', async ({ page, open, gateway }) => {
  await open('robot/axbot-1')
  await page.getByRole('textbox', { name: 'x in metres' }).or(page.getByLabel('x in metres')).fill('9')
  await page.getByLabel('y in metres').fill('3')
  await page.getByRole('button', { name: 'Go', exact: true }).last().click()
  await expect
    .poll(async () => {
      const { tasks } = await gateway.get<{ tasks: { robot: string; source: string }[] }>('tasks')
      return tasks.some((task) => task.robot === 'axbot-1' && task.source === 'navigation')
    })
    .toBe(true)
})

for (const [device, viewport] of Object.entries({
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
})) {
  test.describe(device, () => {
    test.use({ viewport })
    test('driving and the emergency stop stay in sight, wherever the page is scrolled', async ({
      page,
      open,
    }) => {
      await open('robot/axbot-1')
      const shown = [
        page.getByRole('application', { name: /^Drive axbot-1/ }),
        page.getByRole('button', { name: 'Stop', exact: true }),
        page.getByRole('button', { name: 'Emergency stop of axbot-1', exact: true }),
      ]
      for (const tab of ['Live', 'Charts', 'Values']) {
        await page.getByRole('tab', { name: tab }).click()
        for (const to of [0, 100_000]) {
          await page.locator('.robot > .content').evaluate((it, top) => it.scrollTo({ top }), to)
          for (const it of shown) await expect(it).toBeInViewport({ ratio: 1 })
        }
      }
    })
  })
}
