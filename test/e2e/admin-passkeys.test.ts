// Passkeys on the operator's page in Chromium, with an authenticator that the browser simulates.
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { desktop, launchAppBrowser } from '../support/page/app-page.ts';
import {
  goTo,
  type Operated,
  openOperated,
  press,
  row,
  signIn,
  startOperated,
  waitForStatus,
} from '../support/page/operator-page.ts';
import { runMayfly } from '../support/service/mayfly-process.ts';

let browser: Browser;
let operated: Operated;
let origin: string;
beforeAll(async () => {
  [browser, operated] = await Promise.all([launchAppBrowser(), startOperated()]);
  // Passkeys are bound to names, not to addresses.
  origin = operated.origin.replace('127.0.0.1', 'localhost');
});
afterAll(() => Promise.all([browser.close(), operated.close()]));

async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

async function add(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await press(page, 'Continue');
}

it('signs in with a passkey that a key has added, until it is removed on the server', async () => {
  const app = await openOperated(browser, { ...operated, origin, url: `${origin}/admin` }, desktop);
  const { page } = app;
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await signIn(page, operated.key);
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(operated.key);

  await goTo(page, 'Passkeys');
  await add(page, 'Laptop');
  await waitForStatus(page, 'Passkey Laptop added.');
  await row(page, 'Laptop').waitFor();
  expect(await checkAccessibility(page)).toEqual([]);
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);
  await add(page, 'Again');
  await page.getByRole('dialog').getByText('This device has a passkey for you already.').waitFor();
  await press(page, 'Cancel');

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await row(page, 'Laptop').waitFor();
  const { stdout } = await runMayfly(operated.folder, ['passkey', 'list']);
  const id = /^(\d+) +ops +Laptop /m.exec(stdout)?.[1] ?? '';
  await runMayfly(operated.folder, ['passkey', 'remove', id]);
  await page.reload();
  await page.getByText('The passkey was removed.').waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('The passkey is not known here, or was removed.').waitFor();
  expect(await checkAccessibility(page)).toEqual([]);
  expect(app.faults).toMatchObject({ violations: [], foreign: [] });
});

it('says where passkeys work, when the page was opened elsewhere', async () => {
  const { page } = await openOperated(browser, operated, desktop);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText(`Passkeys work at ${origin}/admin.`).waitFor();
  await signIn(page, operated.key);
});
