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

/** Waits until the map knows that something is under the pointer there. */
async function found(page: Page, x: number, y: number): Promise<void> {
  await expect(async () => {
    await page.mouse.move(x + 1, y)
    await page.mouse.move(x, y)
    expect(await map(page).evaluate((canvas) => canvas.style.cursor)).toBe('pointer')
  }).toPass()
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

test.describe('hands in the world', () => {
  // A place that is taken is refused, which browsers write down.
  test.use({ allowed: { words: [/409/] } })

  test('a robot is put elsewhere by numbers, and dragged by the pointer', async ({ page, open, gateway }) => {
    await open('#/map')
    const where = await choose(page, 'misty-1')
    let x = 5.8
    await expect(async () => {
      x -= 0.2
      await page.getByRole('spinbutton', { name: 'x' }).fill(x.toFixed(1))
      await page.getByRole('spinbutton', { name: 'y' }).fill('1.5')
      await page.getByRole('button', { name: 'Put there' }).click()
      await expect.poll(async () => Math.abs((await where())[0] - x), { timeout: 1500 }).toBeLessThan(0.4)
    }).toPass()
    const box = await map(page).boundingBox()
    if (!box) throw new Error('the map has no place')
    const [middle, line] = [box.x + box.width / 2, box.y + box.height / 2]
    await expect(async () => {
      // Followed, the robot is in the middle of the canvas: that is where the pointer takes it.
      await page.getByLabel('Follow it').check()
      await gateway.get('world') // The drawing follows within a frame; this takes longer than one.
      await page.mouse.move(middle, line)
      await page.mouse.down()
      await page.getByLabel('Follow it').evaluate((input: HTMLInputElement) => input.click())
      const before = await gateway.pose('misty-1')
      // Away from the stairs, over which it would fall. Another robot may be in the way, then once more.
      await page.mouse.move(middle - 20, line, { steps: 4 })
      await page.mouse.move(middle - 60, line, { steps: 4 })
      await page.mouse.up()
      const moved = async () => before.x_m - (await gateway.pose('misty-1')).x_m
      await expect.poll(moved, { timeout: 1500 }).toBeGreaterThan(0.4)
    }).toPass()
    await expect(page.getByText('misty-1 is there').last()).toBeVisible()
  })

  test('a person is placed, the world waits and goes on', async ({ page, open, gateway }) => {
    await open('#/map')
    const box = await map(page).boundingBox()
    if (!box) throw new Error('the map has no place')
    let across = 0.64
    await expect(async () => {
      across -= 0.02
      await page.getByRole('button', { name: 'Place Anna' }).click()
      await page.mouse.click(box.x + box.width * across, box.y + box.height * 0.55)
      await expect(page.getByText('Anna is there').first()).toBeVisible({ timeout: 1500 })
    }).toPass()

    await page.getByRole('button', { name: 'Pause the world' }).click()
    await expect(page.getByRole('button', { name: 'Let the world go on' })).toBeVisible()
    const time = async () => (await gateway.get<{ now: { time_s: number } }>('world')).now.time_s
    const stopped = await time()
    expect(await time()).toBe(stopped)
    await page.getByRole('button', { name: 'Let the world go on' }).click()
    await expect.poll(time).toBeGreaterThan(stopped)
  })

  test('a box is put on the floor, dragged and taken away', async ({ page, open, gateway }) => {
    await open('#/map')
    const box = await map(page).boundingBox()
    if (!box) throw new Error('the map has no place')
    const boxes = async () => {
      const { shapes } = await gateway.get<{ shapes: { layer: string; name: string | null; x_m: number }[] }>(
        'world',
      )
      return shapes.filter((shape) => shape.name === 'crate-1')
    }
    // Beside the stairs, where the floor is free; another place if somebody stands there.
    const y = box.y + box.height * 0.678
    let x = box.x + box.width * 0.42
    await expect(async () => {
      x -= 8
      await page.getByRole('button', { name: 'Put a box' }).click()
      await page.mouse.click(x, y)
      await expect.poll(async () => (await boxes()).length, { timeout: 1500 }).toBe(1)
    }).toPass()
    const before = (await boxes())[0]?.x_m ?? NaN
    // Where it is put somebody may just go, then once more.
    await expect(async () => {
      await found(page, x, y)
      await page.mouse.down()
      await page.mouse.move(x - 15, y, { steps: 3 })
      await page.mouse.move(x - 40, y, { steps: 3 })
      await page.mouse.up()
      const moved = async () => before - ((await boxes())[0]?.x_m ?? NaN)
      await expect.poll(moved, { timeout: 1500 }).toBeGreaterThan(0.2)
    }).toPass()
    await found(page, x - 40, y)
    await page.mouse.click(x - 40, y)
    await page.getByRole('button', { name: 'Take it away' }).click()
    await expect.poll(async () => (await boxes()).length).toBe(0)
  })
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
