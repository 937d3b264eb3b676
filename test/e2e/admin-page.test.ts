// The operator's page in Chromium: the sign-in, every section with a change made in it, under the page's policy. Fields,
// dialogs and themes are looked at in admin-access.test.ts.
import { randomBytes } from 'node:crypto';

import { createTransport } from 'nodemailer';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { launchAppBrowser, noFaults } from '../support/page/app-page.ts';
import { startDns } from '../support/servers/dns-zone.ts';
import { eventually } from '../support/eventually.ts';
import { runMayfly } from '../support/service/mayfly-process.ts';
import {
  choose,
  giveKey,
  goTo,
  type Operated,
  openOperated,
  press,
  row,
  signIn,
  startOperated,
  useOperated,
  waitForStatus,
} from '../support/page/operator-page.ts';
import { startSink } from '../support/servers/webhook-sink.ts';

let browser: Browser;
/** With the defaults, for tests that neither stop it nor revoke its key. */
let shared: Operated;
beforeAll(async () => {
  [browser, shared] = await Promise.all([launchAppBrowser(), startOperated()]);
});
afterAll(async () => {
  await browser.close();
  await shared.close();
});

async function open(operated: Operated) {
  const opened = await openOperated(browser, operated);
  await signIn(opened.page, operated.key);
  return opened;
}

async function send(operated: Operated, to: string): Promise<void> {
  const port = operated.mayfly.smtpPort;
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const mail = { from: 'telltale-sender@example.org', subject: 'telltale subject', text: 'telltale text' };
  await comeAgain(() => transport.sendMail({ ...mail, to }));
}

describe('the sign-in', () => {
  it('refuses a wrong key with the reason, and keeps a right one in its tab alone', async () => {
    const operated = shared;
    const { page, context, faults } = await openOperated(browser, operated);
    await giveKey(page, `${operated.key.slice(0, -2)}xx`);
    await page.getByRole('alert').filter({ hasText: 'wrong or revoked' }).waitFor();
    expect(await page.getByLabel('Admin key').inputValue()).toBe('');
    expect(await page.getByRole('heading', { name: 'Overview' }).count()).toBe(0);
    await signIn(page, operated.key);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.content()).not.toContain(operated.key);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).toBe('{}');
    const other = await context.newPage();
    await other.goto(operated.url);
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(faults).toEqual(noFaults);
  });

  it('is asked for again once the key is revoked', async () => {
    const operated = await useOperated();
    const { page } = await open(operated);
    await runMayfly(operated.folder, ['key', 'revoke', 'ops']);
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'wrong or revoked' }).waitFor();
  });

  it('says so when the service does not answer', async () => {
    const operated = await useOperated();
    const { page } = await open(operated);
    await operated.mayfly.stop();
    await page.getByRole('link', { name: 'Blocks', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'isn’t responding' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
});

describe('domains', () => {
  it('show what DNS says of them, and what to do about it', async () => {
    const dns = await startDns({
      'MX good.example': 'mx.here.example',
      'A mx.here.example': '192.0.2.1',
      'TXT good.example': 'v=spf1 -all',
    });
    const operated = await useOperated({
      MAYFLY_DOMAINS: 'good.example,bad.example',
      MAYFLY_SMTP_HOSTNAME: 'mx.here.example',
      MAYFLY_DNS_SERVERS: dns.server,
    });
    const { page, faults } = await open(operated);
    const problem = 'bad.example has no MX record. Add the record bad.example MX 10 mx.here.example.';
    await page.getByRole('link', { name: problem }).click();
    await page.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
    await row(page, 'bad.example').filter({ hasText: 'Broken' }).filter({ hasText: problem }).waitFor();
    // It is right but for the certificate, which the service made itself.
    await row(page, 'good.example').filter({ hasText: 'self-signed' }).waitFor();
    await choose(page, 'bad.example', 'DNS details');
    const dialog = page.getByRole('dialog', { name: 'DNS of bad.example' });
    await dialog.getByText('There is no SPF record').waitFor();
    dns.zone = { ...dns.zone, 'MX bad.example': 'mx.here.example', 'TXT bad.example': 'v=spf1 -all' };
    await press(page, 'Check again');
    await dialog.getByText('MX names mx.here.example.').waitFor();
    await page.keyboard.press('Escape');
    await row(page, 'bad.example').filter({ hasText: 'Warning' }).waitFor();
    expect(faults).toEqual(noFaults);
  });

  it('need attention while a check of one is not right', async () => {
    const dns = await startDns({
      'MX near.example': 'mx.here.example',
      'A mx.here.example': '127.0.0.1',
      'TXT near.example': 'v=spf1 +all',
      'MX far.example': 'mx.other.example',
      'A mx.other.example': '192.0.2.1',
      'TXT far.example': 'v=spf1 -all',
    });
    const operated = await useOperated({
      MAYFLY_DOMAINS: 'near.example,far.example',
      MAYFLY_SMTP_HOSTNAME: 'mx.here.example',
      MAYFLY_DNS_SERVERS: dns.server,
    });
    const { page, faults } = await open(operated);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('listitem').first().waitFor();
    const items = await attention.getByRole('listitem').allInnerTexts();
    for (const words of [
      /^mx\.here\.example has the addresses 127\.0\.0\.1: no other host can send mail there\. Let /,
      /^Warning: MX names mx\.other\.example, and this server calls itself mx\.here\.example\. Let /,
      /^Warning: The certificate is not for mx\.other\.example, which MX names\. Get /,
      /^Warning: SPF lets others send as near\.example\. Publish /,
      /^Warning: No backup has been made\. Run /,
      /^Unknown: The address of the page is not known\. Set MAYFLY_HTTP_PUBLIC_URL/,
    ]) {
      expect(items).toContainEqual(expect.stringMatching(words));
    }
    expect(await attention.getByText('All is well').count()).toBe(0);
    await attention.getByText(/^Checked /).waitFor();
    // An answer that is missing is not right either.
    await operated.mayfly.stop();
    await page.getByRole('alert').first().waitFor({ timeout: 30_000 });
    await attention.getByText(/^Unknown: Overview: /).waitFor();
    expect(faults.violations).toEqual([]);
  });

  it('are added, changed, disabled, enabled and removed', async () => {
    const operated = shared;
    const { page, faults } = await open(operated);
    await goTo(page, 'Domains');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('dialog').getByLabel('Domain', { exact: true }).fill('not a domain');
    await press(page, 'Add domain');
    await page.getByRole('alert').filter({ hasText: 'is not a domain name' }).waitFor();
    await page.getByRole('dialog').getByLabel('Domain', { exact: true }).fill('New.example');
    await page.getByLabel('Rest after a session').fill('86400');
    await page.getByLabel('Accept plus tags').uncheck();
    await press(page, 'Add domain');
    await row(page, 'new.example').filter({ hasText: 'rest for 1 day · No plus tags' }).waitFor();
    await choose(page, 'new.example', 'Edit rules');
    await page.getByLabel('Refuse mail that fails DMARC').check();
    await page.getByLabel('Accept plus tags').check();
    await press(page, 'Save');
    await row(page, 'new.example').filter({ hasText: '1 day · Refuses mail that fails DMARC' }).waitFor();
    await choose(page, 'new.example', 'Disable');
    await press(page, 'Disable');
    await row(page, 'new.example').filter({ hasText: 'Disabled' }).waitFor();
    await choose(page, 'new.example', 'Enable');
    await row(page, 'new.example').filter({ hasText: 'Active' }).waitFor();
    await choose(page, 'new.example', 'Remove');
    await press(page, 'Cancel');
    await choose(page, 'new.example', 'Remove');
    await press(page, 'Remove');
    await row(page, 'new.example').waitFor({ state: 'detached' });
    expect(faults).toEqual(noFaults);
  });
});

describe('sessions and deliveries', () => {
  it('are counted, found and ended, and tell nothing of a message or its sender', async () => {
    const operated = await useOperated({ MAYFLY_DOMAINS: 'a.example,b.example' });
    const fox = await operated.mayfly.lend({ prefix: 'fox', domain_id: '1' });
    await operated.mayfly.lend({ prefix: 'owl', domain_id: '2' });
    await send(operated, fox.email);
    await expect(send(operated, 'nobody@b.example')).rejects.toThrow('550');
    const { page, faults } = await open(operated);
    await goTo(page, 'Sessions');
    await page.getByText('2 live sessions').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'b.example' }).filter({ hasText: '1' }).waitFor();
    await page.getByLabel('Address starts with').fill('FO');
    await row(page, 'owl@b.example').waitFor({ state: 'detached' });
    await row(page, 'fox@a.example').getByRole('button', { name: 'End session' }).click();
    await press(page, 'End session');
    await page.getByText('No address starts with “FO”').waitFor();

    await goTo(page, 'Deliveries');
    await row(page, 'fox@a.example')
      .filter({ hasText: 'Accepted' })
      .filter({ hasText: '250 2.0.0' })
      .waitFor();
    const refused = row(page, 'nobody@b.example').filter({ hasText: 'No such recipient' });
    await refused.waitFor();
    expect(await page.content()).not.toContain('telltale');
    await page.getByRole('radio', { name: 'Accepted' }).check();
    await refused.waitFor({ state: 'detached' });
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByLabel('Address starts with').fill('nob');
    await row(page, 'fox@a.example').waitFor({ state: 'detached' });
    await refused.waitFor();
    expect(await page.content()).not.toContain(fox.token);
    expect(faults).toEqual(noFaults);
  });
});

describe('keys and blocks', () => {
  it('show a new key once, to be copied, and revoke it', async () => {
    const operated = await useOperated();
    const { page, faults } = await open(operated);
    await goTo(page, 'API keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('shop');
    await dialog.getByLabel('Create sessions').uncheck();
    await press(page, 'Create key');
    await page.getByRole('alert').filter({ hasText: 'at least one permission' }).waitFor();
    await dialog.getByLabel('Create sessions').check();
    await dialog.getByLabel('Set webhooks').check();
    await dialog.getByLabel('Calls per minute').fill('30');
    await press(page, 'Create key');
    const secret = await page.getByText(/^mfk_/).textContent();
    await press(page, 'Copy key');
    await page.getByText('Key copied').waitFor({ state: 'attached' });
    await press(page, 'Done');
    await row(page, 'shop').filter({ hasText: 'create, webhook' }).filter({ hasText: '30/min' }).waitFor();
    expect(await page.content()).not.toContain('mfk_');
    const headers = { 'x-api-key': secret ?? '' };
    const lent = await fetch(`${operated.mayfly.origin}/create-session`, { method: 'POST', headers });
    expect(lent.status).toBe(200);
    await row(page, 'shop').getByRole('button', { name: 'Revoke' }).click();
    await press(page, 'Revoke');
    await row(page, 'shop').waitFor({ state: 'detached' });
    await page.getByLabel('Show revoked keys').check();
    await row(page, 'shop').filter({ hasText: 'Revoked' }).waitFor();
    expect(faults).toEqual(noFaults);
  });

  it('block a sender with the reason as it was typed, and lift the block', async () => {
    const operated = shared;
    const { page, faults } = await open(operated);
    await goTo(page, 'Blocks');
    await page.getByText('Nothing is blocked').waitFor();
    await page.getByRole('button', { name: 'Add block' }).click();
    await page.getByRole('radio', { name: 'Network' }).check();
    await page.getByRole('dialog').getByLabel('Network').last().fill('no network');
    await press(page, 'Add block');
    await page.getByRole('alert').filter({ hasText: 'no network' }).waitFor();
    await page.getByRole('radio', { name: 'Sender' }).check();
    await page.getByRole('dialog').getByLabel('Sender').last().fill('Spam.example');
    await page.getByLabel('Reason').fill('<b>phishing</b>');
    await press(page, 'Add block');
    await waitForStatus(page, 'spam.example is blocked.');
    await row(page, '<b>phishing</b>').getByRole('button', { name: 'Remove block' }).click();
    await press(page, 'Remove block');
    await page.getByText('Nothing is blocked').waitFor();
    expect(faults).toEqual(noFaults);
  });

  it('keep the search of many blocks while one types in it', async () => {
    const operated = shared;
    const { page, faults } = await open(operated);
    const headers = { authorization: `Bearer ${operated.key}`, 'content-type': 'application/json' };
    for (let at = 0; at < 10; at++) {
      const body = JSON.stringify({ kind: 'sender', value: `spam${at}.example` });
      const added = await fetch(`${operated.origin}/admin/add-block`, { method: 'POST', headers, body });
      expect(added.status).toBeLessThan(300);
    }
    await goTo(page, 'Blocks');
    await page.getByRole('searchbox').click();
    await page.keyboard.type('spam9');
    await row(page, 'spam9.example').getByRole('button', { name: 'Remove block' }).click();
    await press(page, 'Remove block');
    await waitForStatus(page, 'spam9.example');
    await page.getByRole('searchbox').click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Backspace');
    await expect.poll(() => page.getByRole('row').count()).toBe(10);
    await page.keyboard.type('spam2');
    expect(await page.getByRole('searchbox').inputValue()).toBe('spam2');
    expect(faults).toEqual(noFaults);
  });
});

describe('accounts, webhooks and settings', () => {
  it('take an account and a new password for it, which never come out again', async () => {
    const operated = shared;
    const { page, faults } = await open(operated);
    await goTo(page, 'Gmail accounts');
    await page.getByRole('button', { name: 'Add account' }).click();
    await page.getByLabel('Email address').fill('box@mail.example');
    await page.getByLabel('App password').fill('hunter2hunter2');
    await page.getByText('Another mail server').click();
    await page.getByLabel('IMAP server').fill('127.0.0.1');
    await page.getByLabel('Port').fill('1');
    await page.getByRole('radio', { name: 'STARTTLS' }).check();
    await press(page, 'Add account');
    await row(page, 'box@mail.example').filter({ hasText: 'Not connected yet' }).waitFor();
    await choose(page, 'box@mail.example', 'Change password');
    await page.getByLabel('App password').fill('hunter3hunter3');
    await press(page, 'Save');
    await waitForStatus(page, 'Password of box@mail.example changed.');
    const { stdout } = await runMayfly(operated.folder, ['gmail', 'list']);
    expect(stdout).toContain('box@mail.example');
    const answer = await fetch(`${operated.origin}/admin/gmail-accounts`, {
      headers: { authorization: `Bearer ${operated.key}` },
    });
    // The rest is as it was: a new password alone is no new server.
    expect(await answer.json()).toMatchObject({
      accounts: [{ host: '127.0.0.1', port: 1, security: 'starttls', user: 'box@mail.example' }],
    });
    await choose(page, 'box@mail.example', 'Test connection');
    await page.getByRole('dialog').getByText('It doesn’t work.').waitFor();
    await press(page, 'Done');
    expect(await page.content()).not.toContain('hunter');
    await choose(page, 'box@mail.example', 'Disable');
    await press(page, 'Disable');
    await row(page, 'box@mail.example').filter({ hasText: 'Disabled' }).waitFor();
    await choose(page, 'box@mail.example', 'Enable');
    await row(page, 'box@mail.example').filter({ hasText: 'Not connected yet' }).waitFor();
    await choose(page, 'box@mail.example', 'Remove');
    await press(page, 'Remove');
    await page.getByText('No Gmail accounts').waitFor();
    expect(faults).toEqual(noFaults);
  });

  it('send a webhook again, and show settings without secrets', async () => {
    const sink = await startSink();
    sink.answer = (_received, response) => response.writeHead(410).end();
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const operated = await useOperated({
      MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
      MAYFLY_WEBHOOKS_SECRET: secret,
    });
    const { email } = await operated.mayfly.lend();
    await runMayfly(operated.folder, ['session', 'end', email]);
    const { page, faults } = await open(operated);
    await goTo(page, 'Failed webhooks');
    const again = page.getByRole('button', { name: /^Send again/ });
    await eventually(async () => {
      await goTo(page, 'Overview');
      await goTo(page, 'Failed webhooks');
      await page.locator('.table, .empty').first().waitFor();
      return (await again.count()) > 0 || undefined;
    }, 'a webhook is given up');
    sink.answer = (_received, response) => response.writeHead(204).end();
    await again.first().click();
    await waitForStatus(page, '1 webhook is sent again.');
    await goTo(page, 'Settings');
    await page.getByLabel('Search settings').fill('webhooks_secret');
    await row(page, 'MAYFLY_WEBHOOKS_SECRET').filter({ hasText: '(set)' }).waitFor();
    await page.getByLabel('Search settings').fill('');
    await page.getByLabel('Only changed settings').check();
    await row(page, 'MAYFLY_LOG_LEVEL').waitFor({ state: 'detached' });
    await row(page, 'MAYFLY_ADMIN_PORT').waitFor();
    const content = await page.content();
    expect([content.includes(secret), content.includes(operated.key)]).toEqual([false, false]);
    expect(faults).toEqual(noFaults);
  });
});
