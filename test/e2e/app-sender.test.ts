// The sender as the page shows it: only verified senders are vouched for, and imitations are marked.
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
import { eventually } from '../support/eventually.ts';
import { createRsaKey, mailFrom, sign } from '../support/mail/signed-mail.ts';
import { startUnbound, type Unbound } from '../support/servers/unbound.ts';

const key = createRsaKey();
const bank = { domain: 'bank.example', selector: 's', key };

const chromium = useBrowser();
let service: AppService;
let unbound: Unbound;
beforeAll(async () => {
  unbound = await startUnbound({
    texts: {
      's._domainkey.bank.example': key.record,
      's._domainkey.plain.example': key.record,
      '_dmarc.bank.example': 'v=DMARC1; p=reject',
    },
  });
  service = await startAppService({ MAYFLY_DNS_SERVERS: unbound.server });
});
afterAll(async () => {
  await service.close();
  await unbound.close();
});

async function open(raw: string): Promise<AppPage> {
  const opened = await openAppPage(chromium.browser, service);
  onTestFinished(opened.close);
  const to = await readAddress(opened.page);
  await service.send(to, { envelope: { from: 'x@evil.example', to }, raw });
  await opened.page.locator('.row-link').click({ timeout: 15_000 });
  await eventually(async () => {
    await opened.page.locator('.trust').waitFor({ timeout: 15_000 });
    if ((await opened.page.locator('.trust.is-later').count()) === 0) return true;
    // A busy machine may not have finished the check in time: the result is there on another read.
    await opened.page.reload();
    return undefined;
  }, 'the sender is checked');
  return opened;
}

it('vouches for the verified domain', async () => {
  const { page, faults } = await open(await sign(mailFrom('Bank <news@bank.example>'), bank));
  expect(await page.locator('.trust').textContent()).toContain('Really from bank.example');
  expect(await page.locator('.origin-warning').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('warns that a message with a second Subject can be read in two ways', async () => {
  const signature = { ...bank, domain: 'plain.example' };
  const signed = await sign(mailFrom('Plain <news@plain.example>'), signature);
  const { page, faults } = await open(`Subject: Pay here\r\n${signed}`);
  expect(await page.locator('.trust').textContent()).toContain('can be read in two ways');
  await page.locator('.origin-details > summary').click();
  const details = await page.locator('.origin-details').textContent();
  expect(details).toContain('(Subject is there twice)');
  expect(details).toContain('not accepted');
  expect(faults).toEqual(noFaults);
});

it('warns that mail of a bank with a second Subject is forged, and why', async () => {
  const { page } = await open(`Subject: Pay here\r\n${await sign(mailFrom('news@bank.example'), bank)}`);
  expect(await page.locator('.trust').textContent()).toContain('Probably not from bank.example');
  await page.locator('.origin-details > summary').click();
  expect(await page.locator('.origin-details').textContent()).toContain('(Subject is there twice)');
});

it('vouches for nothing when the envelope’s sender is shown', async () => {
  const signed = await sign(mailFrom('service@evil.example/bank.example'), bank);
  const { page } = await open(signed);
  expect(await page.locator('.trust').textContent()).not.toContain('Really from');
});

it('marks a name that shows another address, and shows look-alike letters as they are resolved', async () => {
  const { page } = await open(mailFrom('"service@bank.example" <x@b\u0430nk.example>'));
  expect(await page.locator('.origin-email').textContent()).toBe('x@xn--bnk-6cd.example');
  expect(await page.locator('.origin-warning').textContent()).toContain('a different address');
  const row = await page.locator('.row-sender').first().textContent();
  expect(row).toBe('service@bank.example <x@xn--bnk-6cd.example>');
});
