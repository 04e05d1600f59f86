import type { Page } from '@playwright/test'

import { fit, type Point, toScreen } from '../src/views/map/camera'
import type { Gateway } from './gateway'
import { expect, numberIn, test } from './test'

const map = (page: Page) => page.getByRole('img', { name: /^Map of demo with 8 robots/ })

/** Chooses a robot and tells where the page says that it is. */
async function choose(page: Page, robot: string): Promise<() => Promise<Point>> {
  await page.getByLabel('Robot', { exact: true }).selectOption(robot)
  const line = page.locator('.card p')
  await expect(line).toContainText('heading')
  return async () => {
    const [x, y] = ((await line.textContent()) ?? '').split(',')
    return [numberIn(x ?? ''), numberIn(y ?? '')]
  }
}

/** Where on the page a place of the world is, while the map shows all there is. */
async function onPage(page: Page, gateway: Gateway, place: Point): Promise<Point> {
  const { bounds_m } = await gateway.get<{ bounds_m: Parameters<typeof fit>[0] }>('world')
  const box = await map(page).boundingBox()
  if (!box) throw new Error('the map has no place')
  const [x, y] = toScreen(fit(bounds_m, box.width, box.height), place)
  return [box.x + x, box.y + y]
}

/** Waits until the map knows that something that can be dragged is under the pointer there. */
async function found(page: Page, x: number, y: number): Promise<void> {
  await expect(async () => {
    await page.mouse.move(x + 1, y)
    await page.mouse.move(x, y)
    expect(await map(page).evaluate((canvas) => canvas.style.cursor)).toBe('grab')
  }).toPass({ timeout: 60_000 })
}

/** Drags what is at one place of the page to another. */
async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.down()
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 })
  await page.mouse.move(...to, { steps: 3 })
  await page.mouse.up()
}

/** Places in a row. */
const places = ([x, y]: Point, [dx, dy]: Point, count: number): Point[] =>
  Array.from({ length: count }, (_, at) => [x + at * dx, y + at * dy])

const away = (one: Point | undefined, other: Point) =>
  one ? Math.hypot(one[0] - other[0], one[1] - other[1]) : Infinity

/** Does it at one place after the other, until the world takes it at one: somebody may stand at the others. */
async function atSome(page: Page, places: Point[], act: (place: Point) => Promise<void>): Promise<Point> {
  for (const place of places) {
    const answer = page.waitForResponse(/\/poke$/)
    await act(place)
    if ((await answer).ok()) return place
  }
  throw new Error('the world takes it nowhere')
}

/** Nobody comes in the way while the world waits; it takes what is done to it all the same. */
async function pause(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pause the world' }).click()
  await expect(page.getByRole('button', { name: 'Let the world go on' })).toBeVisible()
}

async function goOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Let the world go on' }).click()
  await expect(page.getByRole('button', { name: 'Pause the world' })).toBeVisible()
}

test('the map draws the demo at more than one frame a second, and robots move on it', async ({
  page,
  open,
}) => {
  await open('map')
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
    await open('map')
    await pause(page)
    const where = await choose(page, 'misty-1')
    const [x, y] = await atSome(page, places([5.6, 1.5], [-0.3, 0], 6), async (place) => {
      await page.getByRole('spinbutton', { name: 'x' }).fill(place[0].toFixed(1))
      await page.getByRole('spinbutton', { name: 'y' }).fill(place[1].toFixed(1))
      await page.getByRole('button', { name: 'Put there' }).click()
    })
    await expect.poll(async () => away(await where(), [x, y])).toBeLessThan(0.2)

    const box = await map(page).boundingBox()
    if (!box) throw new Error('the map has no place')
    const middle: Point = [box.x + box.width / 2, box.y + box.height / 2]
    const before = await gateway.pose('misty-1')
    // Away from the stairs, over which it would fall.
    const ways = [60, 80, 100, 120, 140].map((way): Point => [middle[0] - way, middle[1]])
    await atSome(page, ways, async (to) => {
      // Followed, the robot is in the middle of the canvas: that is where the pointer takes it.
      await page.getByLabel('Follow it').check()
      await found(page, ...middle)
      await page.getByLabel('Follow it').uncheck()
      await page.mouse.move(...middle)
      await drag(page, middle, to)
    })
    await expect(page.getByText('misty-1 is there').last()).toBeVisible()
    expect(before.x_m - (await gateway.pose('misty-1')).x_m).toBeGreaterThan(0.4)
    await goOn(page)
  })

  test('a person is placed, the world waits and goes on', async ({ page, open, gateway }) => {
    await open('map')
    await pause(page)
    const box = await map(page).boundingBox()
    if (!box) throw new Error('the map has no place')
    const corner: Point = [box.x + box.width * 0.62, box.y + box.height * 0.55]
    await atSome(page, places(corner, [-0.02 * box.width, 0], 10), async (place) => {
      await page.getByRole('button', { name: 'Place Anna' }).click()
      await page.mouse.click(...place)
    })
    await expect(page.getByText('Anna is there').first()).toBeVisible()

    const time = async () => (await gateway.get<{ now: { time_s: number } }>('world')).now.time_s
    const stopped = await time()
    expect(await time()).toBe(stopped)
    await goOn(page)
    await expect.poll(time).toBeGreaterThan(stopped)
  })

  test('a box is put on the floor, dragged and taken away', async ({ page, open, gateway }) => {
    await open('map')
    await pause(page)
    const crate = async (): Promise<Point | undefined> => {
      const { shapes } = await gateway.get<{ shapes: { name: string | null; x_m: number; y_m: number }[] }>(
        'world',
      )
      const found = shapes.find((shape) => shape.name === 'crate-1')
      return found && [found.x_m, found.y_m]
    }
    const click = async (place: Point) => page.mouse.click(...(await onPage(page, gateway, place)))
    // Beside the stairs, where the floor is free.
    const put = await atSome(page, places([5.4, 1.4], [-0.2, 0], 10), async (place) => {
      await page.getByRole('button', { name: 'Put a box' }).click()
      await click(place)
    })
    expect(away(await crate(), put)).toBeLessThan(0.05)

    const from = await onPage(page, gateway, put)
    const dropped = await atSome(page, places([put[0] - 0.6, put[1]], [-0.2, 0], 10), async (place) => {
      const to = await onPage(page, gateway, place)
      await found(page, ...from)
      await drag(page, from, to)
    })
    expect(away(await crate(), dropped)).toBeLessThan(0.05)

    await found(page, ...(await onPage(page, gateway, dropped)))
    await click(dropped)
    await page.getByRole('button', { name: 'Take it away' }).click()
    await expect.poll(crate).toBe(undefined)
    await goOn(page)
  })
})

test('keys move and scale the view', async ({ page, open }) => {
  await open('map')
  const picture = () => map(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL().length)
  await map(page).focus()
  const before = await picture()
  for (let i = 0; i < 6; i++) await page.keyboard.press('+')
  await expect.poll(picture).not.toBe(before)
  await page.keyboard.press('0')
})

test.describe('the room in 3-D', () => {
  // Without a graphics card a browser warns that pictures of it are slow, and three.js says that there is no WebGL.
  test.use({ allowed: { words: [/GL Driver Message/, /WebGL/] } })
  const solid = (page: Page) => page.locator('canvas.solid')
  /** Waits until the room was drawn as it is now: without a graphics card a frame takes long. */
  const drawn = (page: Page) =>
    page.evaluate(async () => {
      for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame)
    })

  /** Puts a robot away from the chassis if it stands where it may hide it: to wherever the paused world has room for it. */
  async function outOfSight(gateway: Gateway, robot: string): Promise<void> {
    const chassis = await gateway.pose('axbot-1')
    const hides = (x_m: number, y_m: number) => Math.hypot(x_m - chassis.x_m, y_m - chassis.y_m) <= 4
    const here = await gateway.pose(robot)
    if (!hides(here.x_m, here.y_m)) return
    const { bounds_m } = await gateway.get<{ bounds_m: Parameters<typeof fit>[0] }>('world')
    const [left, low, right, high] = bounds_m
    for (let x_m = left + 0.5; x_m < right; x_m += 0.7) {
      for (let y_m = low + 0.5; y_m < high; y_m += 0.7) {
        if (hides(x_m, y_m)) continue
        const placed = gateway.poke(robot, { stimulus: 'place', x_m, y_m })
        if (await placed.then(() => true).catch(() => false)) return
      }
    }
    throw new Error(`there is no room for ${robot}`)
  }

  test('it shows the same world, and what is clicked in it', async ({ page, open, gateway }) => {
    // A frame without a graphics card takes a good part of a second on a busy machine.
    test.slow()
    await open('map')
    await pause(page)
    for (const robot of ['misty-1', 'miro-1', 'robotkoop-1']) await outOfSight(gateway, robot)
    await choose(page, 'axbot-1')
    await page.getByRole('button', { name: '3-D' }).click()
    await expect.poll(async () => Number(await solid(page).getAttribute('data-fps'))).toBeGreaterThan(0)
    // Followed, the robot is in the middle of the picture.
    await page.getByLabel('Follow it').check()
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Nearer' }).click()
    await drawn(page)
    await page.getByLabel('Follow it').uncheck()
    await page.getByLabel('Robot', { exact: true }).selectOption('')
    await expect(page.locator('.card')).toHaveCount(0)
    const box = await solid(page).boundingBox()
    if (!box) throw new Error('the room has no place')
    await drawn(page)
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await expect(page.locator('.card')).toContainText('axbot-1')
    await page.getByRole('button', { name: '3-D' }).click()
    await expect(map(page)).toBeVisible()
    await goOn(page)
  })

  test('a browser without it says so', async ({ page, open }) => {
    await page.addInitScript({
      content: `const known = HTMLCanvasElement.prototype.getContext
        HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
          return kind.startsWith('webgl') ? null : known.call(this, kind, ...more)
        }`,
    })
    await open('map')
    await page.getByRole('button', { name: '3-D' }).click()
    await expect(page.getByText('This browser draws no 3-D')).toBeVisible()
  })
})

test('in another frame robots are where that frame has them', async ({ page, open, gateway }) => {
  await open('map')
  // A robot that goes by dead reckoning is elsewhere after a while; this one knows where it is.
  const where = await choose(page, 'axbot-1')
  await page.getByLabel('Frame', { exact: true }).selectOption('axbot-1/map')
  const line = page.locator('.card p')
  await expect(line).toContainText('in axbot-1/map')
  await expect(page.getByRole('button', { name: 'Put a box' })).toBeHidden()
  await expect
    .poll(async () => {
      const { x_m, y_m } = await gateway.pose('axbot-1')
      return away(await where(), [x_m, y_m])
    })
    .toBeLessThan(1)

  // The arena is elsewhere, and so are robots in it.
  await page.getByLabel('Frame', { exact: true }).selectOption('arena')
  await expect(line).toContainText('in arena')
  const { frames } = await gateway.get<{ frames: { name: string; x_m: number; y_m: number }[] }>('frames')
  const arena = frames.find(({ name }) => name === 'arena')
  await expect
    .poll(async () => {
      const [x, y] = await where()
      const now = await gateway.pose('axbot-1')
      return Math.hypot(x - (now.x_m - (arena?.x_m ?? NaN)), y - (now.y_m - (arena?.y_m ?? NaN)))
    })
    .toBeLessThan(1)
})
