// Tests with a gateway of their own worker, and a page that must not complain.

import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test as base } from '@playwright/test'

import { Gateway } from './gateway'

interface Fixtures {
  /** Opens a view, e.g. `map`. */
  open: (view: string) => Promise<void>
  /** What the browser may complain of in this test. */
  allowed: { words: RegExp[] }
}

export const test = base.extend<Fixtures, { gateway: Gateway }>({
  gateway: [
    // Playwright reads the names of fixtures from a pattern, so there has to be one.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const gateway = await Gateway.start()
      // Whichever test is the first: what a robot has not said yet is not found, of which the browser complains.
      await gateway.lived(4)
      await use(gateway)
      await gateway.stop()
    },
    { scope: 'worker' },
  ],
  allowed: [{ words: [] }, { option: true }],
  page: async ({ page, allowed }, use) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(
          `The security policy forbids ${event.blockedURI} by ${event.effectiveDirective}: ${event.sourceFile}`,
        )
      })
    })
    await use(page)
    expect(complaints.filter((complaint) => !allowed.words.some((word) => word.test(complaint)))).toEqual([])
  },
  open: async ({ page, gateway }, use) => {
    await use(async (view) => {
      await page.goto(`${gateway.url}/${view}`)
      await expect(page.locator('.gateway')).toContainText('robots')
    })
  },
})

export { expect }

/** What a checker of accessibility finds on the page as it is; with `colors` alone of what a colour scheme changes. */
export async function accessible(page: Page, what: 'all' | 'colors' = 'all'): Promise<void> {
  // What passes is not described, which takes longer than to check it.
  const checker = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const { violations } = await (
    what === 'colors'
      ? checker.withRules(['color-contrast'])
      : checker.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  ).analyze()
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
  )
  expect(found).toEqual([])
}

/** A number in a text, e.g. 87 of `87 %`. */
export const numberIn = (text: string | null) => Number(/-?[\d.]+/.exec(text ?? '')?.[0] ?? NaN)
