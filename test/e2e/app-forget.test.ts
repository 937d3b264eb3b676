// The data a browser stores, that all of it can be removed, and that the documentation describes it.
import { expect, it, onTestFinished } from 'vitest';

import { type OpenedApp, useApp } from '../support/app-fixture.ts';
import { noFaults, readAddress } from '../support/app-page.ts';

const app = useApp();

async function open(): Promise<OpenedApp & { token: string }> {
  const opened = await app.open();
  const token = String(
    await opened.page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"),
  );
  return { ...opened, token };
}

const listKept = `(async () => ({
  local: Object.keys(localStorage),
  session: Object.keys(sessionStorage),
  cookies: document.cookie,
  databases: (await indexedDB.databases()).length,
  caches: await caches.keys(),
  workers: (await navigator.serviceWorker.getRegistrations()).length,
}))()`;
const nothing = { local: [], session: [], cookies: '', databases: 0, caches: [], workers: 0 };

it('forgets everything in this browser, while the addresses live on', async () => {
  const { page, faults, token } = await open();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('combobox').selectOption('en');
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await page.evaluate('Object.keys(localStorage).sort()')).toEqual([
    'mayfly.language',
    'mayfly.sessions',
    'mayfly.settings',
  ]);
  await page.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByText('Everything is forgotten').waitFor();
  await expect.poll(() => page.evaluate(listKept)).toEqual(nothing);
  expect(await app.service.process().checkMail(token)).toEqual([]);
  expect(faults).toEqual(noFaults);
});

it('also ends the addresses on request', async () => {
  const { page, faults, token } = await open();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('End the addresses too, and delete their messages').check();
  await page.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByText('Everything is forgotten').waitFor();
  expect((await app.service.process().call('/check-mail', token)).status).toBe(410);
  await expect.poll(() => page.evaluate(listKept)).toEqual(nothing);
  expect(faults).toEqual(noFaults);
});

it('keeps the token out of every URL and every request except in its own field', async () => {
  const { page, context, email, token, faults } = await open();
  const urls: string[] = [];
  context.on('request', (request) => urls.push(request.url(), request.headers()['referer'] ?? ''));
  await app.service.send(email, { subject: 'Hello', html: '<p>Hello</p>' });
  await page.getByRole('link', { name: /Hello/ }).click();
  await page.getByRole('tab', { name: 'Raw' }).click();
  await page.getByRole('button', { name: 'Extend' }).click();
  await page.getByText('Your address now lasts until').waitFor();
  await page.reload();
  await readAddress(page);
  urls.push(page.url());
  expect(urls.length).toBeGreaterThan(5);
  expect(urls.filter((url) => url.includes(token) || url.includes('mf_'))).toEqual([]);
  expect(faults).toEqual(noFaults);
});

it('fills the examples of the documentation with the session of this browser', async () => {
  const { page, email, token, faults } = await open();
  await page.goto(`${app.service.url}docs`);
  const example = page.locator('#checkMail pre').first();
  await expect.poll(() => example.innerText()).toContain(`Authorization: Bearer ${token}`);
  expect(await example.innerText()).toContain(`'${app.service.url}check-mail'`);
  expect(await page.locator('[data-filled]').innerText()).toContain(email);
  expect(page.url()).not.toContain(token);
  const stranger = await app.browser.newContext();
  onTestFinished(() => stranger.close());
  const other = await stranger.newPage();
  await other.goto(`${app.service.url}docs`);
  expect(await other.locator('#checkMail pre').first().innerText()).toContain('$TOKEN');
  expect(await other.locator('[data-filled]').isVisible()).toBe(false);
  expect(faults).toEqual(noFaults);
});

it('shows the documentation unchanged without scripts', async () => {
  const context = await app.browser.newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${app.service.url}docs`);
  expect(await page.locator('#checkMail pre').first().innerText()).toContain('Authorization: Bearer $TOKEN');
});
