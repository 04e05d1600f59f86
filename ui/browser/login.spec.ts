import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { Gateway, PROGRAM } from './gateway'
import { accessible, expect, test } from './test'

test.use({ allowed: { words: [/Failed to load resource/, /WebSocket connection/] } })

const CONFIG = `[access]
users = "users.toml"
[http]
listen = "127.0.0.1:8080"
[world]
file = "empty"
[[simulate]]
robot = "misty-1"
body = "misty"
position_m = [2.0, 2.0]
`

/** A gateway with one user, whose password is `right`. */
async function withUser(grant: string, use: (gateway: Gateway) => Promise<void>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'latimer-login-'))
  const file = path.join(folder, 'gateway.toml')
  writeFileSync(file, CONFIG)
  const entry = execFileSync(PROGRAM, ['user', 'ada', '--grant', grant], { input: 'right\n' })
  writeFileSync(path.join(folder, 'users.toml'), entry)
  const gateway = await Gateway.start(['run', '-c', file])
  try {
    await use(gateway)
  } finally {
    await gateway.stop()
    rmSync(folder, { recursive: true })
  }
}

test('who has a user logs in, sees the robots, and logs out', async ({ page }) => {
  await withUser('see', async (gateway) => {
    await page.goto(gateway.url)
    const form = page.getByRole('main')
    await expect(form).toContainText('This gateway has users')
    await accessible(page)
    await form.getByLabel('User').fill('ada')
    await form.getByLabel('Password').fill('wrong')
    await form.getByRole('button', { name: 'Log in' }).click()
    await expect(form.getByRole('alert')).toContainText('wrong or over')
    await form.getByLabel('Password').fill('right')
    await form.getByRole('button', { name: 'Log in' }).click()
    await expect(page.locator('.bar .gateway')).toContainText('1 robot')
    // The cookie opens streams, too.
    await page.goto(`${gateway.url}/robot/misty-1`)
    await expect(page.getByRole('heading', { name: 'misty-1' })).toBeVisible()
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('main')).toContainText('This gateway has users')
  })
})

test('an admin sees what is open, and ends a login', async ({ page }) => {
  await withUser('admin', async (gateway) => {
    await page.goto(gateway.url)
    const form = page.getByRole('main')
    await form.getByLabel('User').fill('ada')
    await form.getByLabel('Password').fill('right')
    await form.getByRole('button', { name: 'Log in' }).click()
    await expect(page.locator('.bar .gateway')).toContainText('1 robot')
    await page.goto(`${gateway.url}/connections`)
    const sessions = page.getByRole('region', { name: 'Sessions', exact: true })
    await expect(sessions).toContainText('api')
    await accessible(page)
    await sessions.getByRole('button', { name: 'End login of ada' }).click()
    // The page came in by it.
    await page.goto(gateway.url)
    await expect(page.getByRole('main')).toContainText('This gateway has users')
  })
})
