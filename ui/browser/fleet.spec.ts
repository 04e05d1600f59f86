import { expect, numberIn, test } from './test'

test('every robot of the demo is there, with its battery, state and data', async ({
  page,
  open,
  gateway,
}) => {
  const { robots } = await gateway.get<{ robots: { robot: string }[] }>('robots')
  await open('fleet')
  for (const { robot } of robots) {
    const row = page.locator(`[data-robot="${robot}"]`)
    await expect(row.locator('.charge')).toContainText('%')
    await expect(row.locator('.state .status')).not.toBeEmpty()
    await expect.poll(async () => numberIn(await row.locator('.rate').textContent())).toBeGreaterThan(1)
  }
})

test('what happens to a robot shows', async ({ page, open, gateway }) => {
  await open('fleet')
  const row = page.locator('[data-robot="misty-1"]')
  await gateway.poke('misty-1', { stimulus: 'battery', charge_ratio: 0.11 })
  await expect(row.locator('.charge')).toContainText('11 %')
  await gateway.poke('misty-1', { stimulus: 'battery', charge_ratio: 0.9 })
  await expect(row.locator('.charge')).toContainText('90 %')
})

test('a family and a word choose robots', async ({ page, open }) => {
  await open('fleet')
  await expect(page.locator('[data-robot]')).toHaveCount(8)
  await page.getByRole('button', { name: /Pera/ }).click()
  await expect(page.locator('[data-robot]')).toHaveCount(4)
  await page.getByRole('searchbox').fill('pera-3')
  await expect(page.locator('[data-robot]')).toHaveCount(1)
  await page.getByRole('searchbox').fill('nobody')
  await expect(page.getByText('No robot fits')).toBeVisible()
})
