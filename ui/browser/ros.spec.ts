// Pages that others write for one robot behind a rosbridge, at a robot's own address: with roslib of both majors as npm has it, and with a
// keyboard's teleoperation.

import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

import type { Page } from '@playwright/test'

import { Gateway } from './gateway'
import { test as base } from './test'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** As roslib's own map of what it needs, with packages in place of a server that sends them. */
const IMPORTS = {
  roslib: 'roslib/dist/RosLib.js',
  bson: 'bson/lib/bson.mjs',
  cbor2: 'cbor2/lib/index.js',
  eventemitter3: 'eventemitter3/dist/eventemitter3.esm.js',
  'fast-png': 'fast-png/lib/index.js',
  uuid: 'uuid/dist/index.js',
  ws: 'ws/browser.js',
  '@cto.af/wtf8': '@cto.af/wtf8/lib/index.js',
  fflate: 'fflate/esm/browser.js',
  iobuffer: 'iobuffer/lib/iobuffer.js',
}

const imports = Object.fromEntries(
  Object.entries(IMPORTS).map(([name, file]) => [name, `/node_modules/${file}`]),
)
const LOADS = {
  '1.4.1': '<script src="/node_modules/roslib1/build/roslib.min.js"></script>',
  '2.1.0': `<script type="importmap">${JSON.stringify({ imports })}</script>
    <script type="module">import * as ROSLIB from 'roslib'; window.ROSLIB = ROSLIB</script>`,
}

/** Serves a page and what it loads from the packages that the tests install. */
async function serves(html: string): Promise<Server> {
  const files = path.join(ROOT, 'tests/node')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><link rel="icon" href="data:," />${html}`)
      return
    }
    response.setHeader('content-type', 'text/javascript')
    createReadStream(path.join(files, pathname))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function opens(page: Page, html: string): Promise<void> {
  const server = await serves(html)
  page.once('close', () => server.close())
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const test = base.extend<object, { robot: string }>({
  // The address of a robot that stands until somebody drives it.
  robot: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const gateway = await Gateway.start(['run', '-c', path.join(ROOT, 'tests/config/still.toml')])
      await use(`${gateway.url.replace('http', 'ws')}/robots/misty-1/rosbridge`)
      await gateway.stop()
    },
    { scope: 'worker' },
  ],
})

for (const [version, loads] of Object.entries(LOADS)) {
  test(`a page with roslib ${version} follows, drives and stops a robot`, async ({ page, robot }) => {
    await opens(
      page,
      `${loads}<script type="module">import * as checks from '/roslib_checks.mjs'; window.checks = checks</script>`,
    )
    await page.waitForFunction('window.checks && window.ROSLIB')
    await page.evaluate(`checks.uses(ROSLIB, ${JSON.stringify(robot)})`)
  })
}

test('a page for the keyboard drives a robot as long as a key is held', async ({ page, robot }) => {
  await opens(
    page,
    `<script src="/node_modules/eventemitter2/lib/eventemitter2.js"></script>
    ${LOADS['1.4.1']}
    <body>
    <script src="/node_modules/keyboardteleopjs/build/keyboardteleop.js"></script>
    <script type="module">
      import { connect, first } from '/roslib_checks.mjs'
      const ros = await connect(ROSLIB, ${JSON.stringify(robot)})
      new KEYBOARDTELEOP.Teleop({ ros, topic: '/cmd_vel', throttle: 0.4 })
      // It stands with its yaw near zero, so half of it is nearly the quaternion's z.
      const told = ({ pose, twist }) => ({ yaw: 2 * pose.pose.orientation.z, speed: twist.twist.angular.z })
      window.odometry = async (wanted = () => true) =>
        told(await first(ROSLIB, ros, '/odom', 'nav_msgs/Odometry', (it) => wanted(told(it))))
    </script>`,
  )
  await page.waitForFunction('window.odometry')
  const { yaw } = await page.evaluate<{ yaw: number }>('odometry()')
  const turned = page.evaluate(`odometry(({ yaw, speed }) => speed > 0.05 && Math.abs(yaw - ${yaw}) > 0.1)`)
  await page.keyboard.down('a')
  // A keyboard repeats what is held.
  const repeating = setInterval(() => void page.keyboard.down('a'), 100)
  await turned.finally(() => {
    clearInterval(repeating)
  })
  await page.keyboard.up('a')
  await page.evaluate('odometry(({ speed }) => Math.abs(speed) < 0.01)')
})
