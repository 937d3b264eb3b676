// A custom name for an address: set, shown, searched, stored, and never sent.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { chooseInMenu, noFaults, phone, readAddress } from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test,second.test' });

it('labels an address from the keyboard, shows it everywhere and never sends it', async () => {
  const { page, email, faults } = await app.open();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await chooseInMenu(page, 'Label');
  await page.getByRole('textbox', { name: 'Label' }).waitFor();
  await expect.poll(() => page.locator('input:focus').getAttribute('maxlength')).toBe('40');
  expect(await checkAccessibility(page)).toEqual([]);
  // Bidirectional controls are removed.
  await page.keyboard.type('Shop \u202e tests');
  await page.keyboard.press('Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.own-label').textContent()).toBe('Shop tests');
  expect(await page.title()).toBe('Shop tests · Mayfly');
  // With a second address there is a list of them.
  await page.getByRole('button', { name: 'New address' }).click();
  const rail = page.getByRole('navigation', { name: 'Your addresses' });
  await rail.getByRole('button', { name: `Shop tests ${email}` }).click();
  await page.locator('.own-label').waitFor();
  await page.reload();
  await rail.getByRole('button', { name: 'Shop tests' }).waitFor();
  expect(sent.filter((text) => text.includes('Shop'))).toEqual([]);

  await chooseInMenu(page, 'Label');
  await page.getByRole('textbox', { name: 'Label' }).fill('');
  await page.keyboard.press('Enter');
  await rail.getByRole('button', { name: 'Shop tests' }).waitFor({ state: 'detached' });
  expect(await page.title()).toBe('Mayfly');
  expect(faults).toEqual(noFaults);
});

it('updates in another window too', async () => {
  const { page, context } = await app.open();
  const other = await context.newPage();
  await other.goto(app.service.url);
  await readAddress(other);
  await chooseInMenu(page, 'Label');
  await page.getByRole('textbox', { name: 'Label' }).fill('From beside');
  await page.getByRole('button', { name: 'Save' }).click();
  await other.locator('.own-label', { hasText: 'From beside' }).waitFor();
});

it('finds an address by its label or its domain when there are many', async () => {
  const { page, email, faults } = await app.open();
  await chooseInMenu(page, 'Label');
  await page.getByRole('textbox', { name: 'Label' }).fill('Bäckerei');
  await page.getByRole('button', { name: 'Save' }).click();
  const rail = page.getByRole('navigation', { name: 'Your addresses' });
  const search = page.getByRole('searchbox', { name: 'Search addresses' });
  for (let count = 2; count <= 6; count++) {
    expect(await search.count()).toBe(0);
    await page.getByRole('button', { name: 'New address' }).click();
    await expect.poll(() => rail.getByRole('button').count()).toBe(count);
  }
  expect(await checkAccessibility(page)).toEqual([]);
  await search.fill('BÄCK');
  await expect.poll(() => rail.getByRole('button').count()).toBe(1);
  await search.press('Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => readAddress(page)).toBe(email);
  await search.fill('no such');
  await page.getByText('No addresses found.').waitFor();
  await search.press('Escape');
  await expect.poll(() => rail.getByRole('button').count()).toBe(6);
  expect(faults).toEqual(noFaults);
});

it('keeps names readable on a phone, however many addresses there are', async () => {
  const { page, faults } = await app.open(phone);
  const names = page.locator('.address-entry .address-local');
  let email = await readAddress(page);
  for (let count = 2; count <= 7; count++) {
    await page.getByRole('button', { name: 'New address' }).click();
    await expect.poll(() => readAddress(page)).not.toBe(email);
    email = await readAddress(page);
    expect(await names.count()).toBe(0);
    await page.getByRole('button', { name: 'Your addresses' }).click();
    await expect.poll(() => names.count()).toBe(count);
    if (count < 7) await names.first().click();
    email = await readAddress(page);
  }
  const widths = await names.evaluateAll((elements) => elements.map(({ clientWidth }) => clientWidth));
  expect(Math.min(...widths)).toBeGreaterThan(50);
  const [inner, whole] = await page.evaluate<number[]>('[innerWidth, document.documentElement.scrollWidth]');
  expect(whole).toBe(inner);
  expect(faults).toEqual(noFaults);
});
