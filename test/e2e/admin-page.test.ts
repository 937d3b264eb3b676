// The operator's page in Chromium: every section filled, one change made in each, under its policy, checked by
// axe-core in both themes. ADMIN_SCREENSHOTS=folder saves pictures there.
import { randomBytes } from 'node:crypto';
import path from 'node:path';

import axe from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { desktop, launchAppBrowser, noFaults, openAppPage, phone } from '../support/app-page.ts';
import { eventually } from '../support/eventually.ts';
import { type MayflyProcess, runMayfly, startMayfly } from '../support/mayfly-process.ts';
import { useDataFolder } from '../support/mayfly-fixture.ts';
import { startSink } from '../support/webhook-sink.ts';

const runAxe = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchAppBrowser();
});
afterAll(() => browser.close());

interface Operated {
  readonly mayfly: MayflyProcess;
  readonly folder: string;
  readonly key: string;
  readonly url: string;
  readonly origin: string;
}

/** Gmail accounts are listed but not polled: the node does not have that role. */
async function startOperated(settings: Readonly<Record<string, string>> = {}): Promise<Operated> {
  const folder = await useDataFolder();
  const { stdout } = await runMayfly(folder, ['key', 'add', 'ops', '--admin']);
  const mayfly = await startMayfly(folder, {
    MAYFLY_ADMIN_PORT: '0',
    MAYFLY_ROLES: 'http,smtp,jobs',
    MAYFLY_SECRET_KEY: randomBytes(32).toString('hex'),
    ...settings,
  });
  onTestFinished(async () => {
    await mayfly.stop();
  });
  const origin = mayfly.adminOrigin ?? '';
  return { mayfly, folder, key: stdout.split('\n')[0] ?? '', url: `${origin}/admin`, origin };
}

async function open(operated: Operated, options = desktop) {
  const opened = await openAppPage(browser, operated, options);
  onTestFinished(opened.close);
  opened.page.on('dialog', (dialog) => void dialog.accept());
  return opened;
}

async function giveKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('Admin key').fill(key);
  await page.getByRole('button', { name: 'Show' }).click();
}

async function logIn(page: Page, key: string): Promise<void> {
  await giveKey(page, key);
  await page.getByRole('heading', { name: 'Domains' }).waitFor();
}

function section(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title });
}

function row(page: Page, title: string, text: string): Locator {
  return section(page, title).getByRole('row').filter({ hasText: text });
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

async function told(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('status').filter({ hasText: text }).waitFor();
}

describe('the operator’s page', () => {
  it('shows every section and makes a change in each, within its policy', async () => {
    const sink = await startSink();
    sink.answer = (_received, response) => response.writeHead(410).end();
    const operated = await startOperated({
      MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
      MAYFLY_WEBHOOKS_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    });
    const { email } = await operated.mayfly.lend();
    const { page, faults } = await open(operated);
    await logIn(page, operated.key);

    await section(page, 'Rates')
      .getByText(/ a minute$/)
      .first()
      .waitFor();
    const domains = section(page, 'Domains');
    await domains.getByLabel('Domain', { exact: true }).fill('new.example');
    await press(page, 'Add domain');
    await told(page, 'domain: new.example');
    await press(page, 'Check new.example');
    await told(page, 'mx unknown');
    await press(page, 'Disable new.example');
    await row(page, 'Domains', 'new.example').filter({ hasText: 'false' }).waitFor();
    await press(page, 'Enable new.example');
    await row(page, 'Domains', 'new.example').filter({ hasText: 'true' }).waitFor();
    await press(page, 'Remove new.example');
    await row(page, 'Domains', 'new.example').waitFor({ state: 'detached' });

    const accounts = section(page, 'Gmail accounts');
    await accounts.getByText('None.').waitFor();
    await accounts.getByLabel('Address').fill('some.body@gmail.com');
    await accounts.getByLabel('App password').fill('abcd efgh ijkl mnop');
    await press(page, 'Add account');
    await row(page, 'Gmail accounts', 'some.body@gmail.com').filter({ hasText: 'new' }).waitFor();
    await press(page, 'Disable some.body@gmail.com');
    await row(page, 'Gmail accounts', 'disabled').waitFor();
    await press(page, 'Enable some.body@gmail.com');
    await row(page, 'Gmail accounts', 'new').waitFor();
    await press(page, 'Remove some.body@gmail.com');
    await accounts.getByText('None.').waitFor();

    const keys = section(page, 'Keys');
    await keys.getByLabel('Name', { exact: true }).fill('shop');
    await press(page, 'Make key');
    await told(page, /key: mfk_/);
    await press(page, 'Revoke shop');
    await page.getByRole('button', { name: 'Revoke shop' }).waitFor({ state: 'detached' });

    const blocks = section(page, 'Blocked');
    await blocks.getByLabel('Value').fill('spam.example');
    await blocks.getByLabel('Note').fill('<b>phishing</b>');
    await press(page, 'Block');
    await row(page, 'Blocked', '<b>phishing</b>').waitFor();
    await press(page, 'Lift spam.example');
    await blocks.getByText('None.').waitFor();

    await press(page, `End ${email}`);
    await section(page, 'Sessions').getByText('None.').waitFor();

    const sendAgain = section(page, 'Webhooks given up').getByRole('button', { name: 'Send again' });
    await eventually(async () => {
      await press(page, 'Search');
      return (await sendAgain.count()) > 0 || undefined;
    }, 'a webhook is given up');
    sink.answer = (_received, response) => response.writeHead(204).end();
    await sendAgain.first().click();
    await told(page, 'replayed: 1');

    await row(page, 'Settings', 'MAYFLY_ADMIN_PORT').waitFor();
    expect(await row(page, 'Settings', 'MAYFLY_SECRET_KEY').first().textContent()).toContain('(set)');
    expect(faults).toEqual(noFaults);
  });

  it('keeps the key in its tab alone, and shows nothing without one', async () => {
    const operated = await startOperated();
    const { page, context } = await open(operated);
    await giveKey(page, `${operated.key.slice(0, -2)}xx`);
    await told(page, 'wrong or revoked');
    expect(await page.getByRole('heading', { name: 'Domains' }).isVisible()).toBe(false);
    await logIn(page, operated.key);
    await page.reload();
    await page.getByRole('heading', { name: 'Domains' }).waitFor();
    const other = await context.newPage();
    await other.goto(operated.url);
    expect(await other.getByRole('heading', { name: 'Domains' }).isVisible()).toBe(false);
    await press(page, 'Forget the key');
    expect(await page.getByRole('heading', { name: 'Domains' }).isVisible()).toBe(false);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no fault of access in the ${colorScheme} theme, wide and narrow`, async () => {
      const operated = await startOperated();
      for (const name of ['one', 'two', 'three']) await operated.mayfly.lend({ prefix: name });
      await runMayfly(operated.folder, ['block', 'add', 'prefix', 'bank*', '--note', 'phishing']);
      for (const [name, size] of [
        ['wide', desktop],
        ['narrow', phone],
      ] as const) {
        const { page } = await open(operated, { ...size, colorScheme });
        await page.evaluate(axe.source);
        expect(await page.evaluate(runAxe)).toEqual([]);
        await logIn(page, operated.key);
        expect(await page.evaluate(runAxe)).toEqual([]);
        const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        expect([name, await page.evaluate(isTooWide)]).toEqual([name, false]);
        const pictures = process.env['ADMIN_SCREENSHOTS'];
        if (pictures === undefined) continue;
        await page.screenshot({ path: path.join(pictures, `${name}-${colorScheme}.png`), fullPage: true });
      }
    });
  }
});
