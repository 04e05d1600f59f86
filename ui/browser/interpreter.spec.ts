import { expect, test } from './test'

test('one event stands beside itself in the model and in each dialect, with what changes', async ({
  page,
  open,
}) => {
  await open('interpreter/misty-1/range/front_left')
  const model = page.getByRole('region', { name: 'The common model' })
  await expect(model).toContainText('distance_m')
  const words = page.getByRole('region', { name: 'In the words of misty' })
  await expect(words).toContainText('TimeOfFlight')
  await expect(words).toContainText('"distanceInMeters"')
  await expect(words).toContainText('same unit')
})

test('another family in the same words: radians become degrees', async ({ page, open }) => {
  await open('interpreter/axbot-1/imu')
  const words = page.getByRole('region', { name: 'In the words of misty' })
  await expect(words).toContainText('IMU')
  await expect(words).toContainText('yaw')
  await expect(words).toContainText('°')
})

test('each dialect has a column of its own: currents with the opposite sign', async ({ page, open }) => {
  await open('interpreter/misty-1/battery')
  await expect(page.getByRole('region', { name: 'In the words of misty' })).toContainText('BatteryCharge')
  const chassis = page.getByRole('region', { name: 'In the words of axbot' })
  await expect(chassis).toContainText('/battery_state')
  await expect(chassis).toContainText('opposite sign')
})

test('a robot of the swarm in its own words: metres become centimetres, radians degrees', async ({
  page,
  open,
}) => {
  await open('interpreter/pera-1/pose')
  const words = page.getByRole('region', { name: 'In the words of pera' })
  await expect(words).toContainText('localization/update')
  await expect(words).toContainText('"heading"')
  await expect(words).toContainText('cm')
  await expect(words).toContainText('°')
  const lines = page.getByRole('region', { name: 'Lines to copy' })
  await lines.getByRole('button', { name: 'pera', exact: true }).click()
  await expect(lines).toContainText('mosquitto_sub')
})

test('the choice is in the address, and lines to copy are ready', async ({
  page,
  open,
  context,
  gateway,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: gateway.url })
  await open('interpreter')
  await page.getByLabel('Robot', { exact: true }).selectOption('misty-1')
  await page.getByRole('combobox', { name: /kind and part/ }).fill('battery')
  await page
    .getByRole('option', { name: /battery/ })
    .first()
    .click()
  await expect(page).toHaveURL(/interpreter\/misty-1\/battery/)
  const lines = page.getByRole('region', { name: 'Lines to copy' })
  await expect(lines).toContainText('curl')
  await lines.getByRole('button', { name: /^Copy/ }).first().click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('misty-1/battery')
})

test('what the gateway derived says from what and how, here and on the page of the robot', async ({
  page,
  open,
}) => {
  const derived = "derived from axbot-1/scan/lidar: nearest point in the sensor's cone, from the outline"
  await open('interpreter/axbot-1/range/front_left')
  await expect(page.getByRole('region', { name: 'The common model' })).toContainText(derived)
  await expect(page.getByText('axbot-1 sent nothing of it: the gateway derived it.')).toBeVisible()
  await open('robot/axbot-1')
  await expect(page.getByRole('table', { name: /^Distance/ }).filter({ hasText: derived })).toHaveCount(1)
  await page.getByRole('tab', { name: 'Values' }).click()
  await expect(page.getByRole('row', { name: /^range\/front_left/ })).toContainText(derived)
})

test('each number of a point is paired with its place in the list', async ({ page, open }) => {
  await open('interpreter/axbot-1/pose')
  const chassis = page.getByRole('region', { name: 'In the words of axbot' })
  const row = (field: string) => chassis.locator('.differences li').filter({ hasText: field }).first()
  await expect(row('x_m')).toContainText('pos[0]')
  await expect(row('y_m')).toContainText('pos[1]')
  // The value beside it is that of the element, in the line of the message too.
  const shown = async () =>
    /y_m (-?[\d.]+) m.*pos\[1\] (-?[\d.]+) m/.exec((await row('y_m').textContent()) ?? '')
  await expect
    .poll(async () => Math.abs(Number((await shown())?.[1]) - Number((await shown())?.[2])))
    .toBeLessThan(0.5)
  await expect(chassis.locator('.json .item')).toHaveCount(2)
})

test('it opens with an example that fits, and the line to copy is in sight', async ({ page, open }) => {
  await open('interpreter')
  await expect(page.getByRole('region', { name: 'In the words of pera' })).toContainText('m → cm, ×100')
  const line = page.getByRole('region', { name: 'Lines to copy' }).locator('pre')
  await expect(line).toBeInViewport()
  const cut = await line.evaluate((pre) => pre.scrollWidth - pre.clientWidth)
  expect(cut).toBeLessThanOrEqual(0)
})
