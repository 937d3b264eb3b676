// Ways out of the page: print, QR code, link, and the examples of the docs page.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { codeMail } from '../support/page/app-mails.ts';
import { chooseInMenu, desktop, noFaults, openMenu, phone, readAddress } from '../support/page/app-page.ts';
import { eventually } from '../support/eventually.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { runProgram } from '../support/servers/run-program.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test' });

async function open(options = desktop): Promise<OpenedApp & { token: string }> {
  const opened = await app.open(options);
  const token = String(
    await opened.page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"),
  );
  return { ...opened, token };
}

/** Returns what a camera reads from the code on the screen, using an independent decoder. */
async function scan(page: Page): Promise<string> {
  const folder = await useDataFolder();
  const file = path.join(folder, 'screen.png');
  await writeFile(file, await page.screenshot());
  const { status, stdout } = await runProgram('zbarimg', ['--quiet', '--raw', file], { env: process.env });
  expect(status).toBe(0);
  return stdout.trim();
}

it.each([
  ['a desktop in the dark', { ...desktop, colorScheme: 'dark' as const }],
  ['a phone', phone],
])(
  'shows a code on %s that opens the inbox elsewhere, and fetches it with nothing in a URL',
  async (_, options) => {
    const { page, email, token, faults } = await open(options);
    await chooseInMenu(page, 'QR code');
    await page.getByRole('radio', { name: 'Full access' }).check();
    await page.getByRole('img', { name: 'QR code that opens this inbox' }).waitFor();
    const link = await scan(page);
    expect(link).toBe(`${app.service.url}#share=${token}`);
    await page.getByRole('radio', { name: 'Address only' }).check();
    await page.getByRole('img', { name: `QR code for ${email}` }).waitFor();
    expect(await scan(page)).toBe(email);

    const elsewhere = await app.browser.newContext();
    onTestFinished(() => elsewhere.close());
    const sent: string[] = [];
    elsewhere.on('request', (request) => sent.push(request.url(), request.headers()['referer'] ?? ''));
    const other = await elsewhere.newPage();
    await other.goto(link);
    await other.getByRole('button', { name: 'Open it' }).click();
    expect(await readAddress(other)).toBe(email);
    expect(other.url()).toBe(app.service.url);
    // The browser's own record of the navigation precedes anything that is sent.
    expect(sent.slice(2).filter((text) => text.includes(token))).toEqual([]);
    expect(app.service.process().log).not.toContain(token);
    expect(faults).toEqual(noFaults);
  },
);

it('opens a link in a window that shows the page already, beside what is there', async () => {
  const { token, email } = await open();
  const { page, email: own, faults } = await open();
  await page.goto(`${app.service.url}#share=${token}`);
  await page.getByRole('dialog').getByText(email).waitFor();
  expect(await readAddress(page)).toBe(own);
  await page.getByRole('button', { name: 'Open it' }).click();
  await expect.poll(() => readAddress(page)).toBe(email);
  expect(page.url()).toBe(app.service.url);
  const switcher = page.getByRole('navigation', { name: 'Your addresses' });
  await switcher.getByRole('button', { name: own.split('@')[0]! }).waitFor();
  await page.goto(`${app.service.url}#share=mf_${'A'.repeat(43)}`);
  await page.getByText('That link leads to an address that has ended.').first().waitFor();
  expect(page.url()).toBe(app.service.url);
  expect(faults).toEqual(noFaults);
});

it('adds nothing from a link that is declined, and marks what it adds', async () => {
  const { token, email } = await open();
  const { page, email: own, faults } = await open();
  const stored = async (): Promise<string> =>
    String(await page.evaluate("localStorage.getItem('mayfly.sessions')"));
  for (const decline of ['Not now', 'Close']) {
    await page.goto(`${app.service.url}#share=${token}`);
    await page.getByRole('dialog').getByText(email).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: decline }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await readAddress(page)).toBe(own);
    expect(await stored()).not.toContain(token);
  }
  await page.goto(`${app.service.url}#share=${token}`);
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.getByRole('heading', { name: 'Shared with you' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Shared with you' }).waitFor();
  expect(await readAddress(page)).toBe(email);
  expect(faults).toEqual(noFaults);
});

it('shares a link that reads and changes nothing, until it is revoked', async () => {
  const { page, email, token, faults } = await open();
  await app.service.send(email, codeMail);
  await chooseInMenu(page, 'QR code');
  await page.getByRole('img', { name: 'QR code for a read-only link to this inbox' }).waitFor();
  const link = await scan(page);
  expect(link).toMatch(new RegExp(`^${app.service.url}#share=mfs_`));
  expect(link).not.toContain(token);

  const guest = await app.openPage({ at: { ...app.service, url: link } });
  await guest.page.getByRole('button', { name: 'Open it' }).click();
  await guest.page.getByRole('heading', { name: 'Shared with you' }).waitFor();
  await guest.page.getByRole('link', { name: /Brook Bank/ }).click();
  await guest.page.getByRole('heading', { name: 'Your verification code is 482 913' }).waitFor();
  // The menu closes when the focus reaches the message, so it is read at once.
  const inMenu = await eventually(async () => {
    await openMenu(guest.page);
    const names = await guest.page.locator('.menu-list').getByRole('button').allInnerTexts();
    return names.some((name) => name.includes('Remove from this browser')) ? names.join() : undefined;
  }, 'the menu can be read');
  for (const name of ['Delete', 'End address', 'QR code', 'Extend']) {
    expect(inMenu).not.toContain(name);
    expect(await guest.page.getByRole('button', { name, exact: true }).count(), name).toBe(0);
  }
  // Later mail is visible too.
  await app.service.send(email, { subject: 'Second mail' });
  await guest.page.getByRole('link', { name: /Second mail/ }).waitFor();

  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await page.getByText('Shared links no longer work.').first().waitFor();
  await guest.page.reload();
  await expect
    .poll(() => guest.page.getByRole('heading', { name: 'Your verification code is 482 913' }).count())
    .toBe(0);
  expect(faults).toEqual(noFaults);
});

it('prints the message and nothing around it', async () => {
  const { page, email, faults } = await open();
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: /Brook Bank/ }).click();
  await page.locator('iframe').contentFrame().getByText('Confirm it is you').waitFor();
  await page.evaluate('window.printed = 0; window.print = () => { window.printed += 1; }');
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate('printed')).toBe(1);
  await page.emulateMedia({ media: 'print' });
  for (const shown of ['.message-title', '.origin-sender', '.find .code', 'iframe']) {
    expect(await page.locator(shown).first().isVisible(), shown).toBe(true);
  }
  for (const hidden of ['.rail', '.inbox', '.toolbar', '.tabs', '.blocked', '.find .button']) {
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
  }
  const title = await page.locator('.message-title').boundingBox();
  expect(title?.y).toBeLessThan(100);
  // In one line, though the sender's letter beside it is gone.
  const sender = await page.locator('.origin-sender').boundingBox();
  expect(sender?.height).toBeLessThan(40);
  expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(5000);
  expect(faults).toEqual(noFaults);
});

it('fills the page’s session into examples of the docs that run as shown', async () => {
  const { page, email, token, faults } = await open();
  await app.service.send(email, codeMail);
  await page.getByRole('link', { name: 'API docs' }).click();
  await page.locator('[data-token]').filter({ hasText: token }).first().waitFor();
  const examples = await page.locator('pre').allInnerTexts();
  const check = examples.find((text) => text.includes('curl') && /\/check-mail'?$/.test(text.trim()));
  const ran = await runProgram('sh', ['-c', check ?? 'exit 1'], { env: process.env });
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ email, messages: [{ code: '482913' }] });
  expect(page.url()).toBe(`${app.service.url}docs`);
  expect(faults).toEqual(noFaults);
});
