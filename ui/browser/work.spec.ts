import { expect, numberIn, test } from './test'

test('a task shows on the timeline with its reports until it is done', async ({ page, open, gateway }) => {
  const answer = await fetch(`${gateway.url}/api/v1/robots/robotkoop-1/commands`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ command: 'task', id: 'coke-1', kind: 'bring', parameters: { object: 'coke' } }),
  })
  await open('tasks')
  if (!answer.ok) throw new Error(await answer.text())
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('robotkoop-1')
  await expect(page.getByRole('region', { name: 'Tasks, newest first' })).toContainText('robotkoop-1')
})

test('what happens is written into the log, and the log can be searched and stopped', async ({
  page,
  open,
  gateway,
}) => {
  await open('log')
  const log = page.getByRole('list', { name: 'Events, newest first' })
  await gateway.poke('misty-1', { stimulus: 'touch', part: 'touch_chin' })
  await expect(log).toContainText(/chin/i)
  await page.getByLabel('Search in the log').fill('no such thing')
  await expect(page.getByText('No line is like this')).toBeVisible()
  await page.getByLabel('Search in the log').fill('')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await gateway.poke('misty-1', { stimulus: 'touch', part: 'touch_scruff' })
  await expect(page.getByText(/[1-9]\d* new while paused/)).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(log).toContainText(/scruff/i)
})

test('connected clients are listed apart from the parts of the gateway, and this page', async ({
  page,
  open,
}) => {
  await open('connections')
  const who = page.getByRole('region', { name: 'Who is connected', exact: true })
  const parts = page.getByRole('region', { name: 'Parts of the gateway', exact: true })
  await expect(parts).toContainText('journal')
  await expect(who).not.toContainText('journal')
  const robots = page.getByRole('region', { name: 'Robots', exact: true })
  await expect(robots).toContainText('pera-4')
  const traffic = page.getByRole('region', { name: 'This page', exact: true })
  await expect.poll(async () => numberIn(await traffic.textContent())).toBeGreaterThanOrEqual(0)
  await expect(page.getByRole('region', { name: 'Where to reach what', exact: true })).toContainText('ws://')
})

test('the API can be browsed', async ({ page, gateway }) => {
  await page.goto(`${gateway.url}/docs/api`)
  await expect(page.getByRole('heading', { name: /Latimer/ })).toBeVisible()
  await expect(page.getByText('/api/v1/robots', { exact: true }).first()).toBeVisible()
})

test('each view has a title and an address, and old links lead there', async ({ page, open, gateway }) => {
  await open('robot/misty-1')
  await expect(page).toHaveTitle('misty-1 · Latimer')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page).toHaveURL(`${gateway.url}/log`)
  await expect(page).toHaveTitle('Log · Latimer')
  await page.goBack()
  await expect(page).toHaveTitle('misty-1 · Latimer')
  await open('interpreter/misty-1/battery')
  await expect(page).toHaveURL(`${gateway.url}/interpreter/misty-1/battery`)
  await expect(page).toHaveTitle('misty-1/battery · Interpreter · Latimer')
})

test.describe('the policy of the page', () => {
  test.use({ allowed: { words: [/security policy/i] } })

  for (const view of ['', 'docs/api']) {
    test(`keeps out what is no file of it: /${view}`, async ({ page, gateway }) => {
      await page.goto(`${gateway.url}/${view}`)
      const forbidden = await page.evaluate(async () => {
        const directives: string[] = []
        const both = new Promise<void>((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => {
            directives.push(event.effectiveDirective)
            if (directives.length === 2) resolve()
          })
        })
        for (const name of ['style', 'script']) {
          const element = document.createElement(name)
          element.textContent = '/* of a stranger */'
          document.head.append(element)
        }
        await both
        return directives
      })
      expect(forbidden).toEqual(['style-src-elem', 'script-src-elem'])
    })
  }
})
