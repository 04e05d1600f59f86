import { accessible, expect, test } from './test'

interface Pair {
  family: string
  dialect: string
  cells: { name: string; is_command: boolean; support: string; how?: string }[]
}

test('a pair of a family and a dialect is chosen in the table and listed below it', async ({
  page,
  open,
  gateway,
}) => {
  const { pairs } = await gateway.get<{ pairs: Pair[] }>('matrix')
  const cells = pairs.find((it) => it.family === 'axbot' && it.dialect === 'misty')?.cells ?? []
  const count = (support: string) => cells.filter((it) => it.support === support).length
  const shares = `${count('exact')} exact, ${count('derived')} derived, ${count('absent')} absent`

  await open('interpreter')
  await page.getByRole('link', { name: 'Matrix' }).click()
  await expect(page).toHaveTitle('Matrix · Latimer')
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'axbot' }) })
  await expect(row.getByRole('cell').filter({ hasText: 'native' })).toHaveCount(1)
  const chosen = row.getByRole('link', { name: `axbot in misty: ${shares}` })
  await expect(chosen).toContainText(`${count('exact')}/${count('derived')}/${count('absent')}`)
  await chosen.click()

  await expect(page).toHaveURL(/\/interpreter\/matrix\/axbot\/misty$/)
  await expect(page).toHaveTitle('axbot/misty · Matrix · Latimer')
  await expect(chosen).toHaveAttribute('aria-current', 'true')
  const list = page.getByRole('region', { name: 'axbot in misty', exact: true })
  await expect(list).toContainText(shares)
  await expect(list.getByRole('listitem')).toHaveCount(cells.length)
  await expect(list.getByRole('region', { name: /^exact/ }).getByText('IMU', { exact: true })).toBeVisible()
  const derived = list.getByRole('region', { name: /^derived/ }).getByRole('listitem')
  await expect(derived.filter({ hasText: 'BumpSensor' })).toContainText('contact: any contact at that place')
  const absent = list.getByRole('region', { name: /^absent/ })
  await expect(absent.getByText('FaceTraining', { exact: true })).toBeVisible()
  await expect(absent.locator('p code')).toContainText('Registration Status')
  await accessible(page)
})

test('an address of the matrix shows its pair, and a wrong one the table', async ({ page, open }) => {
  await open('interpreter/matrix/pera/axbot')
  await expect(page.getByRole('region', { name: 'pera in axbot', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'One event' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Interpreter' })).toBeVisible()
  await open('interpreter/matrix/pera/nothing')
  await expect(page.getByText('There is no pair pera/nothing')).toBeVisible()
  await expect(page.getByRole('link', { name: /^\S+ misty in axbot/ })).toBeVisible()
})
