import { Gateway } from './gateway'
import { expect, test } from './test'

test.use({
  allowed: { words: [/ERR_CONNECTION_REFUSED/, /WebSocket connection/, /Failed to load resource/] },
})

test('the page says that the gateway is gone, and goes on by itself when it is back', async ({ page }) => {
  const gateway = await Gateway.start()
  try {
    await page.goto(`${gateway.url}/fleet`)
    const charge = page.locator('[data-robot="misty-1"] .charge')
    await expect(charge).toContainText('%')
    await gateway.kill()
    await expect(page.getByRole('alert')).toContainText('does not answer')
    await expect(page.locator('.gateway')).toHaveText('No connection')
    // What was known stays on the page.
    await expect(charge).toContainText('%')
    await gateway.again()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await gateway.poke('misty-1', { stimulus: 'battery', charge_ratio: 0.42 })
    await expect(charge).toContainText('42 %')
  } finally {
    await gateway.stop()
  }
})

test('the log goes on with a gateway that counts anew, and the interpreter says what is old', async ({
  page,
}) => {
  const gateway = await Gateway.start()
  const events = page.getByRole('list', { name: 'Events, newest first' })
  // A touch while the one before lasts would be no event.
  const touch = async (number: number) => {
    await gateway.poke('misty-1', { stimulus: 'touch', part: 'touch_chin', hold_s: 0.2 })
    await expect(events.getByText(/chin was touched/)).toHaveCount(number)
    await expect(events.getByText(/chin was let go/)).toHaveCount(number)
  }
  try {
    await page.goto(`${gateway.url}/log`)
    await touch(1)
    await gateway.kill()
    await expect(page.getByRole('status').filter({ hasText: 'Disconnected' })).toBeVisible()
    await gateway.again()
    // Before the page is back: the gateway's memory tells it.
    await touch(2)
    await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible()
    await touch(3)

    await page.goto(`${gateway.url}/interpreter/misty-1/battery`)
    await expect(page.getByText(/misty-1 is simulated/)).toBeVisible()
    await gateway.kill()
    await expect(page.getByText('these are the last messages')).toBeVisible()
    await expect(page.getByText(/misty-1 is simulated/)).toBeVisible()
  } finally {
    await gateway.stop()
  }
})
