// The operator's page in Chromium: the machine and the nodes, the audit, the log as it is written, and where settings come
// from.
import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { launchAppBrowser, noFaults } from '../support/page/app-page.ts';
import { runMayfly } from '../support/service/mayfly-process.ts';
import {
  goTo,
  type Operated,
  openOperated,
  press,
  row,
  signIn,
  startOperated,
} from '../support/page/operator-page.ts';

let browser: Browser;
let operated: Operated;
beforeAll(async () => {
  [browser, operated] = await Promise.all([
    launchAppBrowser(),
    startOperated({ MAYFLY_LOG_LEVEL: 'debug', MAYFLY_SESSION_QUARANTINE_SECONDS: '2592000' }),
  ]);
});
afterAll(() => Promise.all([browser.close(), operated.close()]));

async function open() {
  const opened = await openOperated(browser, operated);
  await signIn(opened.page, operated.key);
  return opened;
}

it('shows disk, store, backup, queues and the node that answers', async () => {
  const { page, faults } = await open();
  const panel = page.getByRole('region', { name: 'Machine and store' });
  await panel.getByText(/^[\d.,]+ [A-Za-z]+ of [\d.,]+ [A-Za-z]+ free/).waitFor();
  await panel.getByText(/^SQLite \d/).waitFor();
  await panel.getByText('None yet').waitFor();
  await row(page, 'Shows this page').filter({ hasText: 'Running' }).waitFor();
  expect(faults).toEqual(noFaults);
});

it('shows what operators did, on the page and on the command line, and searches it', async () => {
  const { page, faults } = await open();
  await goTo(page, 'Blocks');
  await page.getByRole('button', { name: 'Add block' }).click();
  await page.getByRole('dialog').getByLabel('Sender').last().fill('spam.example');
  await press(page, 'Add block');
  await row(page, 'spam.example').waitFor();
  await runMayfly(operated.folder, ['domain', 'add', 'b.example']);
  await goTo(page, 'Audit');
  await row(page, 'sender spam.example').filter({ hasText: 'ops' }).filter({ hasText: 'Done' }).waitFor();
  await row(page, 'add-domain').filter({ hasText: 'Command line' }).waitFor();
  await page.getByRole('searchbox').fill('add-block');
  await row(page, 'add-domain').waitFor({ state: 'detached' });
  await row(page, 'spam.example').waitFor();
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('Nothing matches').waitFor();
  expect(await page.content()).not.toContain(operated.key);
  expect(faults).toEqual(noFaults);
});

it('shows the log as it is written, filtered by level and words', async () => {
  const { page, faults } = await open();
  await goTo(page, 'Log');
  await page.getByText('Live', { exact: true }).waitFor();
  const lines = page.getByRole('list', { name: 'Log' }).getByRole('listitem');
  const transport = createTransport({ host: '127.0.0.1', port: operated.mayfly.smtpPort, ignoreTLS: true });
  const { email } = await operated.mayfly.lend();
  const mail = { from: 'telltale@example.org', subject: 'telltale subject', text: 'telltale text' };
  await comeAgain(() => transport.sendMail({ ...mail, to: email }));
  await lines.filter({ hasText: 'smtp.message' }).first().waitFor();
  await page.getByRole('radio', { name: 'Warnings' }).check();
  await lines.filter({ hasText: 'smtp.message' }).first().waitFor({ state: 'detached' });
  await page.getByRole('radio', { name: 'All' }).check();
  await lines.filter({ hasText: 'smtp.message' }).first().waitFor();
  await page.getByRole('searchbox').fill('no such line');
  await page.getByText('No lines yet').waitFor();
  const content = await page.content();
  expect([content.includes('telltale'), content.includes(operated.key)]).toEqual([false, false]);
  expect(faults).toEqual(noFaults);
});

it('tells where each setting comes from, with durations as people write them', async () => {
  const { page, faults } = await open();
  await goTo(page, 'Settings');
  await row(page, 'MAYFLY_SESSION_QUARANTINE_SECONDS')
    .filter({ hasText: '30d' })
    .filter({ hasText: 'Environment' })
    .waitFor();
  await row(page, 'MAYFLY_HTTP_BASE_PATH').filter({ hasText: 'Default' }).waitFor();
  expect(faults).toEqual(noFaults);
});
