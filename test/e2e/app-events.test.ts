// Changes made to a session elsewhere, as an open page shows them: a new address, and mail replaced by newer mail.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { chooseInMenu, closeDialog, noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_LIMITS_SESSION_MESSAGES: '3' });

async function post<T>(operation: string, parameters: Readonly<Record<string, string>>): Promise<T> {
  const body = new URLSearchParams(parameters);
  const response = await fetch(`${app.service.url}${operation}`, { method: 'POST', body });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

interface Lent {
  readonly email: string;
  readonly token: string;
}

const storedSession = "JSON.parse(localStorage.getItem('mayfly.sessions')).sessions[0]";

it('shows the new address everywhere after a rename, and keeps it', async () => {
  const { page, faults, email, readClipboard } = await app.open();
  await page.getByText('Live', { exact: true }).waitFor();
  const token = String(await page.evaluate(`${storedSession}.token`));
  const { email: wanted } = await post<Lent>('rename-session', { token, prefix: 'brand-new-name' });
  expect(wanted).not.toBe(email);
  await expect.poll(() => readAddress(page)).toBe(wanted);
  await page.getByText(`The address is now ${wanted}.`).first().waitFor();
  expect(await page.evaluate(`${storedSession}.email`)).toBe(wanted);
  await chooseInMenu(page, 'QR code');
  expect(await page.locator('.share-email').textContent()).toBe(wanted);
  await closeDialog(page);
  await page.keyboard.press('a');
  await expect.poll(readClipboard).toBe(wanted);
  await app.service.send(wanted, { subject: 'To the new one' });
  await page.getByRole('link', { name: /To the new one/ }).waitFor();
  await page.reload();
  expect(await readAddress(page)).toBe(wanted);
  expect(faults).toEqual(noFaults);
});

it('learns of a new address from another window, too', async () => {
  const { page, context, faults } = await app.open();
  const other = await context.newPage();
  await other.goto(app.service.url);
  const token = String(await page.evaluate(`${storedSession}.token`));
  const { email: wanted } = await post<Lent>('rename-session', { token });
  await expect.poll(() => readAddress(page)).toBe(wanted);
  await expect.poll(() => readAddress(other)).toBe(wanted);
  expect(faults).toEqual(noFaults);
});

it('removes messages that made room for newer mail, and says that the inbox is full', async () => {
  const { email, token } = await post<Lent>('create-session', { capture: '1', on_full: 'drop_oldest' });
  const { origin, url } = app.service;
  const { page, faults } = await app.openPage({ at: { origin, url: `${url}#share=${token}` } });
  await page.getByRole('button', { name: 'Open it' }).click();
  const to = email.replace('*', 'ann');
  for (const subject of ['One', 'Two', 'Three']) await app.service.send(to, { subject, text: subject });
  const subjects = (): Promise<string[]> => page.locator('.row-subject').allInnerTexts();
  await expect.poll(subjects).toEqual(['Three', 'Two', 'One']);
  expect(await page.locator('.list-note').count()).toBe(0);
  await app.service.send(to, { subject: 'Four', text: 'Four' });
  await expect.poll(subjects).toEqual(['Four', 'Three', 'Two']);
  await page.locator('.notice', { hasText: 'The inbox is full: 1 older message was dropped' }).waitFor();
  await app.service.send(to, { subject: 'Five', text: 'Five' });
  await expect.poll(subjects).toEqual(['Five', 'Four', 'Three']);
  await page.locator('.list-note', { hasText: '2 older messages were dropped' }).waitFor();
  expect(faults).toEqual(noFaults);
});
