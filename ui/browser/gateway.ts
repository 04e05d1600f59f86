// A gateway for a test: the program as it was built, on ports of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
export const PROGRAM =
  process.env.LATIMER ??
  path.join(process.env.CARGO_TARGET_DIR ?? path.join(ROOT, 'target'), 'debug', 'latimer')
/** Ports that a demo takes, from its base on. */
const PORTS = 31
const START_MS = 30_000

export class Gateway {
  private constructor(
    readonly port: number,
    private readonly args: string[],
    private child: ChildProcess,
  ) {}

  /** Starts one with `demo` or other words, and waits until it serves. */
  static async start(args: string[] = ['demo'], port?: number): Promise<Gateway> {
    const base = port ?? (await freePorts())
    const child = spawn(PROGRAM, [...args, '--port-base', String(base)], { stdio: 'ignore' })
    const gateway = new Gateway(base, args, child)
    await gateway.serves()
    return gateway
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async get<T>(address: string): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${address}`)
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  /** Where the simulated world really has a robot. */
  async pose(robot: string): Promise<{ x_m: number; y_m: number; yaw_rad: number }> {
    const { now } = await this.get<{
      now: { robots: { robot: string; x_m: number; y_m: number; yaw_rad: number }[] }
    }>('world')
    const found = now.robots.find((it) => it.robot === robot)
    if (!found) throw new Error(`the world has no ${robot}`)
    return found
  }

  poke(robot: string, body: Record<string, unknown>): Promise<void> {
    return this.post(`robots/${robot}/poke`, body)
  }

  async post(address: string, body: Record<string, unknown>): Promise<void> {
    const response = await fetch(`${this.url}/api/v1/${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
  }

  /** Waits until the world is so old: by then each robot has said all that it says. */
  async lived(seconds: number): Promise<void> {
    while ((await this.get<{ now: { time_s: number } }>('world')).now.time_s < seconds) {
      await new Promise((done) => setTimeout(done, 100))
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    this.child.kill('SIGINT')
    await once(this.child, 'exit')
  }

  /** Ends it without a farewell. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }

  /** The same gateway once more, on the same ports. */
  async again(): Promise<void> {
    this.child = spawn(PROGRAM, [...this.args, '--port-base', String(this.port)], { stdio: 'ignore' })
    await this.serves()
  }

  private async serves(): Promise<void> {
    const end = Date.now() + START_MS
    while (Date.now() < end) {
      if (this.child.exitCode !== null) throw new Error(`the gateway ended with ${this.child.exitCode}`)
      const ok = await fetch(`${this.url}/api/v1/health`).then(
        (response) => response.ok,
        () => false,
      )
      if (ok) return
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error('the gateway does not serve')
  }
}

/** The first of some ports in a row that nobody has: above those of other tests, below those that the system hands out. */
export async function freePorts(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const base = 31_760 + PORTS * Math.floor(Math.random() * 32)
    const free = await Promise.all(Array.from({ length: PORTS }, (_, offset) => isFree(base + offset)))
    if (free.every(Boolean)) return base
  }
  throw new Error('no free ports')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
