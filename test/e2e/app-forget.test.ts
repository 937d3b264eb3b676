// The data a browser stores, that all of it can be removed, and that the documentation describes it.
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { closeDialog, noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp({}, { hasServiceWorker: true });

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

async function forget(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByRole('alert').filter({ hasText: 'Forget everything?' }).waitFor();
  await page.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByText('Everything is forgotten').waitFor();
}

async function statusOf(token: string): Promise<number> {
  return (await app.service.process().call('/check-mail', token)).status;
}

it('asks before it forgets anything, whatever is clicked in a hurry', async () => {
  const { page, faults, token, email } = await open();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Forget everything' }).dblclick();
  await closeDialog(page);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByRole('alert').filter({ hasText: 'You can undo it' }).waitFor();
  await page.getByRole('button', { name: 'Not now' }).click();
  await closeDialog(page);
  expect(await readAddress(page)).toBe(email);
  expect(await page.evaluate("localStorage.getItem('mayfly.sessions')")).toContain(token);
  expect(faults).toEqual(noFaults);
});

it('brings everything back on request, as it was', async () => {
  const { page, context, faults, token, email } = await open();
  await app.service.send(email, { subject: 'Kept mail', text: 'Words to keep.' });
  await page.getByRole('link', { name: /Kept mail/ }).click();
  await page.getByTestId('text').getByText('Words to keep.').waitFor();
  await expect.poll(() => page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(1);
  const other = await context.newPage();
  await other.goto(app.service.url);
  await readAddress(other);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByLabel('End the addresses too, and delete their messages').check();
  const before = await page.evaluate('({ ...localStorage })');
  await forget(page);
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await other.getByText('Everything is forgotten').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('link', { name: /Kept mail/ }).waitFor();
  expect(await page.evaluate('({ ...localStorage })')).toEqual(before);
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  await other.getByRole('link', { name: /Kept mail/ }).waitFor();
  // The time in which it could be undone passes without an effect.
  await app.service.send(email, { subject: 'Later mail' });
  await page.getByRole('link', { name: /Later mail/ }).waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.evaluate('new Promise((done) => setTimeout(done, 11_000))');
  expect(await statusOf(token)).toBe(200);
  expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(1);
  expect(faults).toEqual(noFaults);
});

it('ends the addresses at once when the page is closed meanwhile', async () => {
  const { page, context, token } = await open();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('End the addresses too, and delete their messages').check();
  await forget(page);
  expect(await statusOf(token)).toBe(200);
  const later = await context.newPage();
  await page.close();
  await expect.poll(() => statusOf(token)).toBe(410);
  await later.goto(`${app.service.url}docs`);
  expect(await later.evaluate('[localStorage.length, document.cookie]')).toEqual([0, '']);
});

it('leaves nothing behind when the last request of a closing page seems to fail', async () => {
  const { page, context } = await open();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await context.route('**/end-session', (route) => route.abort());
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('End the addresses too, and delete their messages').check();
  await forget(page);
  await page.evaluate("dispatchEvent(new Event('pagehide'))");
  await expect.poll(() => page.evaluate(listKept)).toEqual(nothing);
});

it('brings everything back when an address cannot be ended', async () => {
  const { page, context, token, email } = await open();
  await context.route('**/end-session', (route) => route.abort());
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('End the addresses too, and delete their messages').check();
  await forget(page);
  await page.getByText('Some addresses couldn’t be ended, so nothing was forgotten.').waitFor();
  expect(await readAddress(page)).toBe(email);
  expect(await page.evaluate("localStorage.getItem('mayfly.sessions')")).toContain(token);
});

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
    'mayfly.usual',
  ]);
  await forget(page);
  await expect.poll(() => page.evaluate(listKept)).toEqual(nothing);
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(await app.service.process().checkMail(token)).toEqual([]);
  expect(faults).toEqual(noFaults);
});

it('also ends the addresses on request', async () => {
  const { page, faults, token } = await open();
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByLabel('End the addresses too, and delete their messages').check();
  await forget(page);
  await expect.poll(() => statusOf(token)).toBe(410);
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
