// How the page bears many robots: node bench/page.mjs [ROBOTS]. Needs the release build and chromium.
//
// A gateway simulates robots of all families; the page is opened on it, and for each view the frames that the
// browser draws and what the gateway sends are counted. Beside it, as the peer: a client that takes everything
// that robots say, pictures and maps left out, with nothing conflated.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'

import { chromium } from '@playwright/test'

const ROBOTS = Number(process.argv[2] ?? 200)
const SECONDS = 10
const ROOT = path.resolve(import.meta.dirname, '../..')
const PROGRAM = path.join(process.env.CARGO_TARGET_DIR ?? path.join(ROOT, 'target'), 'release', 'latimer')
const FAMILIES = ['misty', 'axbot', 'pera', 'miro', 'robotkoop']
/** From one robot to the next. */
const SPACE_M = 3
const VIEWS = [
  { name: 'map', view: 'map' },
  { name: 'map, all lidars', view: 'map', more: allLidars },
  { name: 'overview', view: '' },
  { name: 'fleet', view: 'fleet' },
  { name: 'robot', view: 'robot/axbot-1' },
]
/** Shows the scans of all robots on the map. */
async function allLidars(page) {
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByLabel('Lidar').selectOption('all')
}

/** Kinds that are told once. */
const BARE = ['other', 'link', 'device', 'library']

const folder = mkdtempSync(path.join(tmpdir(), 'latimer-bench-'))
const port = await freePort()
const config = writeConfig()
const gateway = spawn(PROGRAM, ['run', '-c', config], { stdio: ['ignore', 'ignore', 'inherit'] })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
try {
  await serves()
  const everything = await unconflated()
  const rows = []
  for (const view of VIEWS) rows.push(await measured(view))
  const [load] = loadavg()
  console.log(
    `\n${ROBOTS} robots of ${FAMILIES.length} families, ${SECONDS} s a view, load before and after within ${load.toFixed(1)}\n`,
  )
  console.log('view              frames/s  slowest ms  messages/s   kB/s   of all %  gateway %  browser MB')
  for (const row of rows) {
    console.log(
      [
        row.name.padEnd(16),
        row.fps.toFixed(1).padStart(9),
        row.slowest.toFixed(0).padStart(11),
        row.messages.toFixed(0).padStart(11),
        (row.bytes / 1000).toFixed(0).padStart(6),
        ((100 * row.bytes) / everything.bytes).toFixed(1).padStart(10),
        row.cpu.toFixed(0).padStart(10),
        row.heap.toFixed(1).padStart(11),
      ].join(' '),
    )
  }
  console.log(
    `\neverything, unconflated: ${everything.messages.toFixed(0)} messages/s, ${(everything.bytes / 1000).toFixed(0)} kB/s`,
  )
  const slow = rows.filter((row) => row.fps < 30).map((row) => row.name)
  console.log(
    `bar: 30 frames a second in each view: ${slow.length === 0 ? 'yes' : `no (${slow.join(', ')})`}`,
  )
} finally {
  await browser.close()
  gateway.kill('SIGINT')
  rmSync(folder, { recursive: true })
}

async function measured({ name, view, more }) {
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let [bytes, messages] = [0, 0]
  session.on('Network.webSocketFrameReceived', ({ response }) => {
    bytes += response.payloadData.length
    messages += 1
  })
  await page.goto(`http://127.0.0.1:${port}/${view}`)
  await page.waitForTimeout(3000)
  if (more) await more(page)
  await page.waitForTimeout(2000)
  ;[bytes, messages] = [0, 0]
  const cpu = await cpuSeconds()
  const frames = await page.evaluate(
    (ms) =>
      new Promise((done) => {
        const gaps = []
        let last = performance.now()
        const end = last + ms
        const next = (now) => {
          gaps.push(now - last)
          last = now
          if (now < end) requestAnimationFrame(next)
          else done(gaps)
        }
        requestAnimationFrame(next)
      }),
    SECONDS * 1000,
  )
  const used = (await cpuSeconds()) - cpu
  const heap = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6)
  const result = {
    name,
    fps: frames.length / SECONDS,
    slowest: Math.max(...frames.slice(1)),
    bytes: bytes / SECONDS,
    messages: messages / SECONDS,
    cpu: (100 * used) / SECONDS,
    heap,
  }
  await page.close()
  return result
}

/** What a client gets that takes all numbers as they come. */
async function unconflated() {
  const { kinds } = await (await fetch(`http://127.0.0.1:${port}/api/v1/kinds`)).json()
  const small = kinds.filter((kind) => kind.class !== 'bulk' && !BARE.includes(kind.kind))
  const select = small.map((kind) => `*/${kind.kind}/**`).join(',')
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/favicon.svg`)
  const got = await page.evaluate(async (select) => {
    const socket = new WebSocket(`/api/v1/stream?select=${encodeURIComponent(select)}`)
    let [bytes, messages] = [0, 0]
    socket.onmessage = ({ data }) => {
      bytes += data.length
      messages += 1
    }
    const pause = (ms) => new Promise((done) => setTimeout(done, ms))
    await pause(2000)
    ;[bytes, messages] = [0, 0]
    await pause(5000)
    socket.close()
    return { bytes: bytes / 5, messages: messages / 5 }
  }, select)
  await page.close()
  return got
}

function writeConfig() {
  const side = Math.ceil(Math.sqrt(ROBOTS))
  const world = path.join(folder, 'hall.toml')
  writeFileSync(world, `name = "hall"\nsize_m = [${(side + 1) * SPACE_M}.0, ${(side + 1) * SPACE_M}.0]\n`)
  const robots = Array.from({ length: ROBOTS }, (_, at) => {
    const family = FAMILIES[at % FAMILIES.length]
    const x = ((at % side) + 1) * SPACE_M
    const y = (Math.floor(at / side) + 1) * SPACE_M
    return `[[simulate]]\nrobot = "${family}-${Math.floor(at / FAMILIES.length) + 1}"\nbody = "${family}"\nposition_m = [${x}.0, ${y}.0]\nbehaviour = "wander"\n`
  })
  const file = path.join(folder, 'many.toml')
  writeFileSync(file, `[http]\nlisten = "127.0.0.1:${port}"\n[world]\nfile = "hall.toml"\n${robots.join('')}`)
  return file
}

async function serves() {
  for (let tries = 0; tries < 600; tries++) {
    const ok = await fetch(`http://127.0.0.1:${port}/api/v1/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    if (gateway.exitCode !== null) throw new Error('the gateway ended')
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('the gateway does not serve')
}

async function cpuSeconds() {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1])
}

function freePort() {
  return new Promise((done) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}
