import { Gateway } from './gateway'
import { expect, test } from './test'

test.use({
  allowed: { words: [/ERR_CONNECTION_REFUSED/, /WebSocket connection/, /Failed to load resource/] },
})

test('the page says that the gateway is gone, and goes on by itself when it is back', async ({ page }) => {
  const gateway = await Gateway.start()
  try {
    await page.goto(`${gateway.url}/#/`)
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
