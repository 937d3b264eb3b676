// The popup and the options by keyboard, and as a screen reader has them, in a browser's language of either direction.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';

import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { type AppService, startAppService } from '../support/page/app-page.ts';
import {
  clickInside,
  everyHost,
  type ExtensionBrowser,
  launchExtension,
} from '../support/page/extension-browser.ts';
import { type ExtensionPages, servePages } from '../support/page/extension-pages.ts';
import { eventually } from '../support/eventually.ts';

let service: AppService;
let browser: ExtensionBrowser;
let pages: ExtensionPages;
beforeAll(async () => {
  [service, browser, pages] = await Promise.all([
    startAppService(),
    launchExtension(everyHost),
    servePages(),
  ]);
  await browser.choose({ service: service.url, places: 'every' });
});
afterAll(async () => {
  pages.close();
  await browser.close();
  await service.close();
});

async function openView(hash = '', before = ''): Promise<Page> {
  const view = await browser.context.newPage();
  if (before !== '') await view.addInitScript(before);
  await view.goto(`chrome-extension://${browser.id}/view.html${hash}`);
  await view.locator('h1').waitFor();
  return view;
}

/** Presses Tab through the whole view. @returns what has the focus, as it is called */
async function tabThrough(view: Page): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let press = 0; press < 40; press += 1) {
    await view.keyboard.press('Tab');
    const now = await view.evaluate<string>(
      `(document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()`,
    );
    if (now === '' || (seen.length > 0 && now === seen[0])) return seen;
    seen.push(now);
  }
  return seen;
}

describe('the options', () => {
  it('are named and in order, and work without a mouse', async () => {
    const view = await openView();
    expect(await checkAccessibility(view)).toEqual([]);
    expect(await view.locator('main').ariaSnapshot()).toMatch(
      /heading "Mayfly".*textbox "Service".*textbox "API key".*combobox.*group "Icon in e-mail fields".*radio "Only when.*radio "On sites.*radio "On every site" \[checked\].*button "Save"/s,
    );
    await view.locator('input.url').focus();
    await view.keyboard.press('Enter');
    await view.locator('[role=status]', { hasText: 'mayfly.test' }).waitFor();
    await view.close();
  });
});

describe('the popup', () => {
  it('is named and in order, and works without a mouse', async () => {
    const page = await browser.context.newPage();
    const body = `<!doctype html><title>Sign up</title><h1>Create your account</h1><form><label>Email <input type="email" id="email"></label><button>Sign up</button></form>`;
    await page.goto(pages.add('keys.test', '/signup', { body }));
    await clickInside(page, 'icon');
    const email = await eventually(
      async () => (await page.locator('#email').inputValue()) || undefined,
      'the address is filled in',
    );
    await service.send(email, {
      from: 'Keys <hi@keys.test>',
      subject: 'Your code',
      html: '<p>Your verification code is 445566.</p><a href="https://keys.test/verify?token=abc123def456">Confirm your email</a>',
    });
    const worker = await browser.worker();
    const tabId = await worker.evaluate(
      `chrome.tabs.query({ url: 'http://keys.test/*' }).then(([tab]) => tab.id)`,
    );
    const view = await openView(
      '#popup',
      `chrome.tabs.query = () => Promise.resolve([{ id: ${String(tabId)} }]); window.close = () => {};`,
    );
    await view.getByRole('button', { name: '445566' }).waitFor();
    expect(await checkAccessibility(view)).toEqual([]);
    const tree = await view.locator('main').ariaSnapshot();
    expect(tree).toContain(`region "${email}"`);
    expect(tree).toMatch(/heading "keys\.test".*listitem.*Your code.*button "445566".*button "Confirm/s);
    // It begins at the address.
    expect(await view.evaluate('document.activeElement.textContent')).toBe('Copy');
    expect(await tabThrough(view)).toEqual(
      expect.arrayContaining(['New address', 'End address', '445566', 'Settings']),
    );
    await view.getByRole('button', { name: 'End address' }).focus();
    await view.keyboard.press('Enter');
    await view.keyboard.press('Enter');
    await view.getByRole('region', { name: email }).waitFor({ state: 'detached' });
    await view.close();
    await page.close();
  });
});
