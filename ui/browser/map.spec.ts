import type { Page } from '@playwright/test'

import { expect, numberIn, test } from './test'

const map = (page: Page) => page.getByRole('img', { name: /^Map of demo with 8 robots/ })

/** Chooses a robot and tells where the page says that it is. */
async function choose(page: Page, robot: string): Promise<() => Promise<[number, number]>> {
  await page.getByLabel('Robot', { exact: true }).selectOption(robot)
  const line = page.locator('.card p')
  await expect(line).toContainText('heading')
  return async () => {
    const [x, y] = ((await line.textContent()) ?? '').split(',')
    return [numberIn(x ?? ''), numberIn(y ?? '')]
  }
}

test('the map draws the demo at more than one frame a second, and robots move on it', async ({
  page,
  open,
}) => {
  await open('#/map')
  await expect.poll(async () => Number(await map(page).getAttribute('data-fps'))).toBeGreaterThan(1)
  const where = await choose(page, 'axbot-1')
  const before = await where()
  await expect
    .poll(async () => {
      const [x, y] = await where()
      return Math.hypot(x - before[0], y - before[1])
    })
    .toBeGreaterThan(0.1)
})

test('a robot is put elsewhere by numbers, and dragged by the pointer', async ({ page, open, gateway }) => {
  await open('#/map')
  const where = await choose(page, 'misty-1')
  await page.getByRole('spinbutton', { name: 'x' }).fill('5')
  await page.getByRole('spinbutton', { name: 'y' }).fill('1.5')
  await page.getByRole('button', { name: 'Put there' }).click()
  await expect.poll(async () => (await where())[0]).toBeGreaterThan(4.5)
  // Followed, the robot is in the middle of the canvas: that is where the pointer takes it.
  await page.getByLabel('Follow it').check()
  const box = await map(page).boundingBox()
  if (!box) throw new Error('the map has no place')
  await gateway.get('world') // The drawing follows within a frame; this takes longer than one.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.getByLabel('Follow it').evaluate((input: HTMLInputElement) => input.click())
  const before = await gateway.pose('misty-1')
  await page.mouse.move(box.x + box.width / 2 + 20, box.y + box.height / 2, { steps: 4 })
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByText('misty-1 is there').last()).toBeVisible()
  await expect.poll(async () => (await gateway.pose('misty-1')).x_m).toBeGreaterThan(before.x_m + 0.4)
})

test('a person is placed, a door is opened, the world waits and goes on', async ({ page, open, gateway }) => {
  await open('#/map')
  const box = await map(page).boundingBox()
  if (!box) throw new Error('the map has no place')
  await page.getByRole('button', { name: 'Place Anna' }).click()
  await page.mouse.click(box.x + box.width * 0.62, box.y + box.height * 0.55)
  await expect(page.getByText('Anna is there')).toBeVisible()

  await page.getByRole('button', { name: 'Pause the world' }).click()
  await expect(page.getByRole('button', { name: 'Let the world go on' })).toBeVisible()
  const time = async () => (await gateway.get<{ now: { time_s: number } }>('world')).now.time_s
  const stopped = await time()
  expect(await time()).toBe(stopped)
  await page.getByRole('button', { name: 'Let the world go on' }).click()
  await expect.poll(time).toBeGreaterThan(stopped)
})

test('keys move and scale the view', async ({ page, open }) => {
  await open('#/map')
  const picture = () => map(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL().length)
  await map(page).focus()
  const before = await picture()
  for (let i = 0; i < 6; i++) await page.keyboard.press('+')
  await expect.poll(picture).not.toBe(before)
  await page.keyboard.press('0')
})
