// Several addresses side by side: created, switched between, transferred, ended.
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { chooseInMenu, noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test,second.test' });

async function open(): Promise<OpenedApp> {
  const opened = await app.openPage();
  return { ...opened, email: await readAddress(opened.page) };
}

it('keeps addresses side by side and counts the unread in each', async () => {
  const { page, email: first, faults } = await open();
  await page.getByRole('button', { name: 'New address' }).click();
  const switcher = page.getByRole('navigation', { name: 'Your addresses' });
  await switcher.waitFor();
  await expect.poll(() => readAddress(page)).not.toBe(first);
  const second = await readAddress(page);
  await app.service.send(first, { subject: 'For the first' });
  await switcher.getByRole('button', { name: '1 unread' }).waitFor({ timeout: 30_000 });
  expect(await page.title()).toBe('(1) Mayfly');
  await switcher.getByRole('button', { name: first.split('@')[0]! }).click();
  await page.getByRole('link', { name: /For the first/ }).click();
  await page.getByRole('heading', { name: 'For the first' }).waitFor();
  await switcher.getByRole('button', { name: second.split('@')[0]! }).click();
  expect(await readAddress(page)).toBe(second);
  expect(await page.getByText('Listening. Mail shows here at once.').isVisible()).toBe(true);
  expect(new URL(page.url()).hash).toBe('');
  await page.reload();
  expect(await readAddress(page)).toBe(second);
  expect(await switcher.getByRole('button').count()).toBe(2);
  expect(faults).toEqual(noFaults);
});

it('creates an address with the chosen name and domain, and says why another is unavailable', async () => {
  const { page, faults } = await open();
  const create = async (name: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('combobox', { name: 'Domain' }).selectOption({ label: '@second.test' });
    await page.getByRole('combobox', { name: 'Lasts' }).selectOption({ label: '10 minutes' });
    await page.getByRole('button', { name: 'Create address' }).click();
  };
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  await create('postmaster');
  await page.getByText('That name is reserved. Choose another.').waitFor();
  await create('no..dots');
  await page.getByText('This name can’t be used').waitFor();
  await create('quiet-fox');
  await page.getByText(/^Ends in (10:00|9:)/).waitFor();
  expect(await readAddress(page)).toBe('quiet-fox@second.test');
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  await create('quiet-fox');
  await page.getByText('That address is taken').waitFor();
  expect(faults).toEqual(noFaults);
});

it('gives a new address a name one can say, and offers lifetimes in plain words', async () => {
  const { page, email, faults } = await open();
  expect(email).toMatch(/^[a-z]+\.[a-z]+\d\d@/);
  // Those who return read the same.
  await page.reload();
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  const lifetime = page.getByRole('combobox', { name: 'Lasts' });
  await expect
    .poll(() => lifetime.locator('option').allInnerTexts())
    .toEqual(['1 hour', '10 minutes', '6 hours', '1 day']);
  await page.getByRole('button', { name: 'Create address' }).click();
  await expect.poll(() => readAddress(page)).not.toBe(email);
  expect(await readAddress(page)).toMatch(/^[a-z]+\.[a-z]+\d\d@/);
  await page.getByText(/^Ends in (1:00:00|59:)/).waitFor();
  expect(faults).toEqual(noFaults);
});

it('extends an address', async () => {
  const { page, faults } = await open();
  await page.getByRole('button', { name: 'Extend' }).click();
  await page.getByText('Your address now lasts until').waitFor();
  await page.getByText(/^Ends in (2:00:00|1:59:)/).waitFor();
  expect(faults).toEqual(noFaults);
});

it('ends an address only after a confirmation, and creates a new one after the last', async () => {
  const { page, email, faults } = await open();
  const token = String(await page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"));
  await chooseInMenu(page, 'End address');
  await page.getByRole('button', { name: 'Keep it' }).click();
  expect((await app.service.process().call('/check-mail', token)).status).toBe(200);
  await chooseInMenu(page, 'End address');
  await page.getByRole('dialog').getByRole('button', { name: 'End address' }).click();
  await page.getByText(`${email} has ended.`).waitFor();
  await expect.poll(() => readAddress(page)).not.toBe(email);
  expect((await app.service.process().call('/check-mail', token)).status).toBe(410);
  expect(faults).toEqual(noFaults);
});

it('opens an inbox elsewhere through a link that leaves the address bar at once', async () => {
  const { page, email, readClipboard } = await open();
  await app.service.send(email, { subject: 'Carried along' });
  await chooseInMenu(page, 'QR code');
  await page.getByRole('radio', { name: 'Full access' }).check();
  await page.getByRole('img', { name: 'QR code that opens this inbox' }).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const link = await readClipboard();
  expect(link).toContain('#share=mf_');
  const elsewhere = await app.openPage({ at: { ...app.service, url: link } });
  await elsewhere.page.getByRole('button', { name: 'Open it' }).click();
  await elsewhere.page.getByRole('link', { name: /Carried along/ }).waitFor();
  expect(await readAddress(elsewhere.page)).toBe(email);
  expect(elsewhere.page.url()).toBe(app.service.url);
  expect(await elsewhere.page.evaluate('history.length')).toBeLessThanOrEqual(2);
  // One address needs no list.
  expect(await elsewhere.page.getByRole('navigation').count()).toBe(0);
  expect(elsewhere.faults).toEqual(noFaults);
});
