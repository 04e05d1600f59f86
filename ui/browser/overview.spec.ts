import { misplaced, SIZES } from './boxes'
import { expect, test } from './test'

test('the overview shows the room, what robots see, and how each is', async ({ page, open }) => {
  await open('')
  await expect(page.getByRole('img', { name: /^Map of demo/ })).toBeVisible()
  const cameras = page.getByRole('region', { name: 'Cameras' })
  await expect(cameras.getByRole('img', { name: /^What axbot-1's/ })).toBeVisible()
  const strip = page.getByRole('region', { name: 'Robots' })
  await expect(strip.locator('[data-robot]')).toHaveCount(8)
  // The chosen robot's cameras come first.
  await strip.getByRole('button', { name: /^robotkoop-1/ }).click()
  await expect(cameras.getByRole('img').first()).toHaveAccessibleName(/robotkoop-1/)
  await page.getByRole('link', { name: 'Whole table' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Fleet' })).toBeVisible()
})

test('what is tried first is seen in the interpreter', async ({ page, open }) => {
  await open('')
  await page.getByRole('button', { name: 'Press it' }).click()
  await expect(page).toHaveURL(/\/interpreter\/.+\/contact\/bump/)
  // The press itself, which came before the view did, and not only its end.
  await expect(page.getByRole('main')).toContainText(/isContacted.{0,20}true/s)
})

test('a robot that does not confirm that it stands is not said to be stopped', async ({ page, open }) => {
  const message = 'it does not confirm that it stands'
  await page.route('**/api/v1/robots', async (route) => {
    const response = await route.fetch()
    const { robots } = (await response.json()) as { robots: Record<string, unknown>[] }
    const by = { dialect: 'page', name: '' }
    const unstopped = { since: new Date(Date.now() - 60_000).toISOString(), message }
    for (const robot of robots) Object.assign(robot, { emergency_stop: by, unstopped })
    await route.fulfill({ response, json: { robots } })
  })
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport)
    await open('')
    const robots = page.getByRole('region', { name: 'Robots' }).locator('[data-robot]')
    await expect(robots.filter({ hasText: 'May move' }).filter({ hasText: message })).toHaveCount(8)
    await expect(robots.filter({ hasText: 'Stopped' })).toHaveCount(0)
    expect(await misplaced(page)).toEqual([])
  }
})

test.describe('stops', () => {
  // A stop that another one overtakes is refused, which browsers write down.
  test.use({ allowed: { words: [/409/] } })

  test('one button or key stops all robots until it is released, another one of them', async ({
    page,
    open,
    gateway,
  }) => {
    await open('')
    const estop = page.getByRole('button', { name: 'Emergency stop of all robots' })
    await estop.click()
    await expect(page.getByText('All 8 robots took the emergency stop')).toBeVisible()
    const held = async () => {
      const { robots } = await gateway.get<{ robots: { emergency_stop: unknown }[] }>('robots')
      return robots.filter((robot) => robot.emergency_stop !== null).length
    }
    expect(await held()).toBe(8)
    await page.getByRole('button', { name: 'Release 8' }).click()
    await expect.poll(held).toBe(0)
    await page.keyboard.press('Escape')
    await expect.poll(held).toBe(8)
    await page.getByRole('button', { name: 'Release 8' }).click()
    await expect.poll(held).toBe(0)

    const stopped = async () => {
      const { updates } = await gateway.get<{ updates: { data: { emergency_stop: boolean } }[] }>(
        'last?select=axbot-1/control',
      )
      return updates[0]?.data.emergency_stop
    }
    // It stops, whatever the page knows: it never releases.
    const stopIt = page.getByRole('button', { name: 'Emergency stop of axbot-1', exact: true })
    await stopIt.click()
    await expect.poll(stopped).toBe(true)
    await expect(stopIt).toHaveAttribute('aria-pressed', 'true')
    await stopIt.click()
    expect(await held()).toBe(1)
    expect(await stopped()).toBe(true)
    await page.getByRole('button', { name: 'Release the emergency stop of axbot-1' }).click()
    await expect.poll(stopped).toBe(false)
  })

  // Here and not beside the other boxes: a chassis that was stopped is on no round for a minute, which the map's tests wait for.
  for (const viewport of SIZES) {
    test(`boxes ${viewport.width} wide while an emergency stop is held`, async ({ page, open }) => {
      await page.setViewportSize(viewport)
      for (const address of ['', 'robot/axbot-1']) {
        await open(address)
        await page.getByRole('button', { name: 'Emergency stop of all robots' }).click()
        const release = page.getByRole('button', { name: 'Release 8' })
        await expect(release).toBeVisible()
        await expect(
          page.getByRole('button', { name: 'Release the emergency stop of axbot-1' }),
        ).toBeEnabled()
        // It comes and goes on its own.
        await expect(page.getByText('took the emergency stop')).toHaveCount(0)
        expect(await misplaced(page)).toEqual([])
        await release.click()
        await expect(release).toBeHidden()
      }
    })
  }
})
