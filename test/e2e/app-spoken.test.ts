// The text that a screen reader speaks in the main views, compared with test/e2e/spoken. After an intended change:
// `npx vitest run test/e2e/app-spoken.test.ts -u`, and read the files as a person hears them.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { codeMail, linkMail } from '../support/page/app-mails.ts';
import { chooseInMenu, closeDialog, noFaults } from '../support/page/app-page.ts';
import { eventually } from '../support/eventually.ts';
import { readSpokenTree } from '../support/page/spoken-tree.ts';

const app = useApp();

/** Replaces what changes from run to run. */
function cleanFor(email: string): (text: string) => string {
  const [local = ''] = email.split('@');
  return (text) =>
    text
      .replaceAll(local, 'amber.fox42')
      .replace(/\b(?:\d{1,2}:)?\d{1,2}:\d{2}\b(?: ?[AP]M)?/gu, '59:59')
      .replace(/\b\d+ (?:sec|min)\. ago/gu, 'just now')
      // An announcement goes after some seconds.
      .replace(/^New message from .*/u, '')
      .replace(/\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b/gu, 'May 4, 2026');
}

async function expectSpoken(page: Page, view: string, email: string): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: 'Live' })
    .or(page.getByText('has ended'))
    .first()
    .waitFor();
  const file = new URL(`spoken/${view}.txt`, import.meta.url);
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const read = (): Promise<string> => readSpokenTree(page, cleanFor(email));
  // The focus may be on its way.
  const settled = eventually(async () => ((await read()) === known ? known : undefined), 'it is as before');
  const tree = await settled.catch(read);
  await expect(tree).toMatchFileSnapshot(fileURLToPath(file));
}

it('says what is there: nothing yet, mail, a mail, options, and the end', async () => {
  const { page, faults, email } = await app.open();
  await page.getByText('Listening. Mail shows here at once.').waitFor();
  await expectSpoken(page, 'empty', email);
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  await page.getByRole('dialog').waitFor();
  await expectSpoken(page, 'options', email);
  await closeDialog(page);
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await expectSpoken(page, 'settings', email);
  await closeDialog(page);
  await app.service.send(email, linkMail);
  await page.getByRole('link', { name: /Paper Kites/ }).waitFor();
  await app.service.send(email, codeMail);
  await page.getByRole('tabpanel').waitFor();
  await page.locator('.row.is-unread', { hasText: 'Brook Bank' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.locator('.message-title').waitFor({ state: 'detached' });
  await expectSpoken(page, 'mail', email);
  await page.getByRole('link', { name: /Paper Kites/ }).click();
  await page.getByRole('tabpanel').waitFor();
  await expectSpoken(page, 'message', email);
  await page.keyboard.press('Escape');
  await chooseInMenu(page, 'End address');
  await page.getByRole('dialog').waitFor();
  await expectSpoken(page, 'end', email);
  expect(faults).toEqual(noFaults);
});

it('says that an address has ended', async () => {
  const { page, faults, email } = await app.open();
  const token = String(await page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"));
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${app.service.url}end-session`, { method: 'POST', headers });
  await page.getByText('This address has ended').waitFor();
  await expectSpoken(page, 'ended', email);
  expect(faults).toEqual(noFaults);
});
