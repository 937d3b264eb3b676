// Gmail aliases in the page: created by its form, mail from the account's IMAP server shown like any other, spam
// marked.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import type { ImapFlow } from 'imapflow';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { useBrowser } from '../support/page/app-fixture.ts';
import {
  type AppPage,
  type AppService,
  noFaults,
  openAppPage,
  readAddress,
  startAppService,
} from '../support/page/app-page.ts';
import { type Dovecot, startDovecot } from '../support/gmail/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { imapPassword } from '../support/gmail/imap-password.ts';
import { createDataFolder } from '../support/service/mayfly-process.ts';
import { arrivedMail } from '../support/gmail/polled-account.ts';

const account = 'quiet.fox@gmail.com';

const chromium = useBrowser();
let dovecot: Dovecot;
let service: AppService;
let client: ImapFlow;
let secrets: Awaited<ReturnType<typeof createDataFolder>>;

beforeAll(async () => {
  dovecot = await startDovecot({ hasAllMail: true });
  client = await dovecot.connect(account);
  secrets = await createDataFolder();
  const file = (name: string, content: string): string => {
    const written = path.join(secrets.path, name);
    writeFileSync(written, content);
    return written;
  };
  service = await startAppService({
    MAYFLY_DOMAINS: 'mayfly.test',
    MAYFLY_SECRET_KEY_FILE: file('key', randomBytes(32).toString('hex')),
    MAYFLY_GMAIL_SPAM_POLL_SECONDS: '1',
  });
  const place = ['--host', '127.0.0.1', '--port', String(dovecot.port), '--security', 'none'];
  const password = ['--password-file', file('password', imapPassword)];
  const added = await service.run('gmail', 'add', account, ...password, ...place);
  expect(added.status).toBe(0);
  await eventually(
    async () => ((await service.run('gmail', 'list')).stdout.includes('active') ? true : undefined),
    'the account is active',
  );
});
afterAll(async () => {
  await service.close();
  await dovecot.close();
  await secrets.remove();
});

async function open(): Promise<AppPage> {
  const opened = await openAppPage(chromium.browser, service);
  onTestFinished(opened.close);
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return opened;
}

/** Fills in the form for a chosen address and resolves with the address lent. */
async function lend(page: Page, fill: (form: Page) => Promise<unknown>): Promise<string> {
  const before = await readAddress(page);
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  await fill(page);
  await page.getByRole('button', { name: 'Create address' }).click();
  await expect.poll(() => readAddress(page)).not.toBe(before);
  return readAddress(page);
}

it('lends a dot variant of any account and shows its mail and code as they arrive', async () => {
  const { page, faults, readClipboard } = await open();
  const alias = await lend(page, (form) =>
    form.getByRole('combobox', { name: 'Domain' }).selectOption({ label: 'Gmail (any account)' }),
  );
  expect(alias).toMatch(/^[quietfox.]+@gmail\.com$/);
  expect(alias.replaceAll('.', '')).toBe('quietfox@gmailcom');
  await page.getByText('Live', { exact: true }).waitFor();
  await client.append('All Mail', arrivedMail(account, 'Private'));
  await client.append('All Mail', arrivedMail(alias, 'Your code', 'Your verification code is 731904.'));
  await page.getByRole('button', { name: 'Copy newest code 731904' }).click();
  expect(await readClipboard()).toBe('731904');
  await page.getByRole('link', { name: /Your code/ }).click();
  await page.getByTestId('text').getByText('Your verification code is 731904.').waitFor();
  expect(await page.locator('[data-id]').count()).toBe(1);
  expect(faults).toEqual(noFaults);
});

it('lends a plus alias of the chosen account, with a custom name and without', async () => {
  const { page, faults } = await open();
  const chosen = { label: account };
  const named = await lend(page, async (form) => {
    await form.getByRole('combobox', { name: 'Domain' }).selectOption(chosen);
    await form.getByRole('textbox', { name: 'Name' }).fill('shop');
    await form.getByText('Your name goes after a plus sign').waitFor();
  });
  expect(named).toBe('quiet.fox+shop@gmail.com');
  const random = await lend(page, async (form) => {
    await form.getByRole('combobox', { name: 'Domain' }).selectOption(chosen);
    await form.getByRole('radio').nth(1).check();
  });
  expect(random).toMatch(/^quiet\.fox\+[a-z0-9]{11}@gmail\.com$/);
  expect(faults).toEqual(noFaults);
});

it('marks a message that Gmail took for spam, in the list and when open', async () => {
  const { page, faults } = await open();
  const alias = await lend(page, (form) =>
    form.getByRole('combobox', { name: 'Domain' }).selectOption({ label: account }),
  );
  await client.append('Spam', arrivedMail(alias, 'You won'));
  const row = page.getByRole('listitem').filter({ hasText: 'You won' });
  await row.getByText('Spam').first().waitFor();
  await row.getByRole('link').click();
  await page.getByText('Gmail put this message in the spam folder.').waitFor();
  expect(faults).toEqual(noFaults);
});

it('offers no account that lends no aliases', async () => {
  const { page, faults } = await open();
  expect((await service.run('gmail', 'disable', account)).status).toBe(0);
  await page.getByRole('button', { name: 'Choose name, domain and time' }).click();
  await page.getByRole('button', { name: 'Create address' }).waitFor();
  expect(await page.getByRole('option', { name: account }).count()).toBe(0);
  expect(faults).toEqual(noFaults);
});
