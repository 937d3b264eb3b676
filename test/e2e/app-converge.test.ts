// Two views of one session show the same, and a page recovers by itself: from a service that was away, and from one that
// was upgraded.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { chooseInMenu, noFaults, openDialog, pressUntil, readAddress } from '../support/page/app-page.ts';

const app = useApp();

async function openWithMail(...subjects: string[]): Promise<OpenedApp & { token: string }> {
  const opened = await app.open();
  await opened.page.getByText('Live', { exact: true }).waitFor();
  const token = String(
    await opened.page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"),
  );
  for (const subject of subjects) await app.service.send(opened.email, { subject, text: subject });
  await expect.poll(() => listSubjects(opened.page)).toEqual(subjects.toReversed());
  return { ...opened, token };
}

function listSubjects(page: Page): Promise<string[]> {
  return page.locator('.row-subject').allInnerTexts();
}

function listUnread(page: Page): Promise<string[]> {
  return page.locator('.row.is-unread .row-subject').allInnerTexts();
}

async function post(operation: string, parameters: Readonly<Record<string, string>>): Promise<void> {
  const body = new URLSearchParams(parameters);
  const response = await fetch(`${app.service.url}${operation}`, { method: 'POST', body });
  expect(response.status).toBe(200);
}

/** Longer than any delay of the page; the machine may be busy. */
const soon = { timeout: 40_000 };

it('shows marks and deletions in another tab, and through a read-only link, as they happen', async () => {
  const { page, context, faults, token, readClipboard } = await openWithMail('One', 'Two', 'Three');
  const tab = await context.newPage();
  await tab.goto(app.service.url);
  await expect.poll(() => listUnread(tab)).toEqual(['Three', 'Two', 'One']);
  await chooseInMenu(page, 'QR code');
  await page.getByRole('button', { name: 'Copy link' }).click();
  const guest = await app.openPage({ at: { ...app.service, url: await readClipboard() } });
  await guest.page.getByText('Other people can read it too').waitFor();
  await guest.page.getByRole('button', { name: 'Open it' }).click();
  await guest.page.getByText('Live', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /Two/ }).click();
  await page.getByTestId('text').getByText('Two').waitFor();
  await fetch(`${app.service.url}read-mail?token=${token}&id=1`);
  for (const view of [page, tab, guest.page]) {
    await expect.poll(() => listUnread(view), soon).toEqual(['Three']);
  }
  await post('mark-mail', { token, id: '2', read: '0' });
  for (const view of [page, tab, guest.page]) {
    await expect.poll(() => listUnread(view), soon).toEqual(['Three', 'Two']);
  }
  await post('delete-mail', { token, id: '3' });
  for (const view of [page, tab, guest.page]) {
    await expect.poll(() => listSubjects(view), soon).toEqual(['Two', 'One']);
  }
  expect(await guest.page.getByText('Live', { exact: true }).isVisible()).toBe(true);
  await post('end-session', { token });
  await guest.page.getByRole('heading', { name: 'This address has ended' }).waitFor();
  expect([faults, guest.faults]).toEqual([noFaults, noFaults]);
});

it('removes and marks where streams do not get through, and in a share of one message', async () => {
  const { context, faults, token } = await openWithMail('One', 'Two', 'Three');
  await context.route('**/events', () => undefined);
  const polled = await context.newPage();
  await polled.goto(app.service.url);
  await polled.getByText('Checking regularly').waitFor(soon);
  const response = await fetch(`${app.service.url}create-share`, {
    method: 'POST',
    body: new URLSearchParams({ token, id: '2' }),
  });
  const { share } = (await response.json()) as { share: string };
  const guest = await app.openPage({ at: { ...app.service, url: `${app.service.url}#share=${share}` } });
  await guest.page.getByRole('button', { name: 'Open it' }).click();
  await expect.poll(() => listSubjects(guest.page)).toEqual(['Two']);
  await guest.page.getByText('Checking regularly').waitFor(soon);
  await post('mark-mail', { token, id: '1', read: '1' });
  await expect.poll(() => listUnread(polled), soon).toEqual(['Three', 'Two']);
  await post('delete-mail', { token, ids: '2,3' });
  await expect.poll(() => listSubjects(polled), soon).toEqual(['One']);
  await expect.poll(() => listSubjects(guest.page), soon).toEqual([]);
  expect(faults).toEqual(noFaults);
});

it('does not warn of other people at a link of full access', async () => {
  const { page, email, readClipboard } = await openWithMail('Carried along');
  await chooseInMenu(page, 'QR code');
  await page.getByRole('radio', { name: 'Full access' }).check();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const device = await app.openPage({ at: { ...app.service, url: await readClipboard() } });
  const dialog = device.page.getByRole('dialog');
  await dialog.getByText('Open it only if you made the link yourself.').waitFor();
  expect(await dialog.innerText()).not.toMatch(/other people/i);
  await device.page.getByRole('button', { name: 'Open it' }).click();
  await device.page.getByRole('link', { name: /Carried along/ }).waitFor();
  expect(await readAddress(device.page)).toBe(email);
});

it('reads an open message again once the service answers', async () => {
  const { page, context } = await openWithMail('Read at last');
  // The list stays live meanwhile.
  await context.route(/(?:read|peek)-mail/, (route) => route.abort());
  await page.getByRole('link', { name: /Read at last/ }).click();
  await page.getByRole('alert').getByText('The service isn’t responding').waitFor();
  await context.unroute(/(?:read|peek)-mail/);
  await page.getByTestId('text').getByText('Read at last').waitFor(soon);
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('offers a reload when a part of the page is gone', async () => {
  const { page, context } = await app.openPage();
  const email = await readAddress(page);
  await context.route(/assets\/(?!index)/, (route) =>
    route.fulfill({ status: 404, contentType: 'application/json', body: '{"status":"error"}' }),
  );
  const notice = page.getByRole('status').filter({ hasText: 'It may have been updated.' });
  await pressUntil(page, '?', (limit) => notice.waitFor(limit));
  await context.unroute(/assets\/(?!index)/);
  await notice.getByRole('button', { name: 'Reload' }).click();
  await page.waitForLoadState('load');
  await openDialog(page, '?');
  expect(await readAddress(page)).toBe(email);
});
