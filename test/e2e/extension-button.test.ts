// The extension without any access of its own: the toolbar's button does what the icon would.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AppService, startAppService } from '../support/page/app-page.ts';
import {
  clickInside,
  type ExtensionBrowser,
  findInside,
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
    launchExtension(['http://127.0.0.1/*']),
    servePages(),
  ]);
});
afterAll(async () => {
  pages.close();
  await browser.close();
  await service.close();
});

const signUp = `<!doctype html><title>Sign up</title><h1>Create your account</h1>
<form><label>Email <input type="email" id="email"></label><button>Sign up</button></form>`;
const codePage = `<!doctype html><title>Confirm</title><h1>Confirm your email</h1>
<label>Verification code <input id="code" autocomplete="one-time-code"></label>`;

describe('the package', () => {
  it('has at most 40 KB for either store', () => {
    for (const bytes of browser.packed) expect(bytes).toBeLessThanOrEqual(40 * 1024);
  });

  it('asks for nothing but storage, the tab in which its button is pressed, and hosts one by one', () => {
    const { manifest } = browser;
    expect(manifest).toMatchObject({
      permissions: ['storage', 'activeTab', 'scripting'],
      optional_host_permissions: ['https://*/*', 'http://*/*'],
    });
    expect(manifest).not.toHaveProperty('host_permissions');
    expect(manifest).not.toHaveProperty('content_scripts');
    expect(manifest).not.toHaveProperty('web_accessible_resources');
  });
});

describe('the options', () => {
  it.each([
    'http://mail.example.org',
    'ftp://mail.example.org',
    'https://name:word@mail.example.org',
    'mail example',
  ])('refuse %s as a service', async (typed) => {
    const page = await browser.context.newPage();
    await page.goto(`chrome-extension://${browser.id}/view.html`);
    await page.locator('input.url').fill(typed);
    await page.locator('button.act').click();
    await page.locator('.result.is-wrong').waitFor();
    await page.close();
  });
});

describe('the button', () => {
  beforeAll(() => browser.choose({ service: service.url, places: 'click' }));

  it('fills in the address, and the code on the next page', async () => {
    const page = await browser.context.newPage();
    await page.goto(pages.add('shop.test', '/signup', { body: signUp }));
    expect(await findInside(page, 'icon')).toBeUndefined();
    await browser.pressButton(page);
    const email = await eventually(
      async () => (await page.locator('#email').inputValue()) || undefined,
      'the address',
    );
    await page.goto(pages.add('shop.test', '/code', { body: codePage }));
    await service.send(email, {
      from: 'hi@shop.test',
      subject: 'Code',
      text: 'Your verification code is 305518.',
    });
    await clickInside(page, 'code');
    await eventually(
      async () => ((await page.locator('#code').inputValue()) === '305518' ? true : undefined),
      'the code is filled in',
    );
    await page.close();
  });

  it('leaves other tabs alone', async () => {
    const page = await browser.context.newPage();
    await page.goto(pages.add('quiet.test', '/signup', { body: signUp }));
    const other = await browser.context.newPage();
    await other.goto(pages.add('pressed.test', '/signup', { body: signUp }));
    await browser.pressButton(other);
    await eventually(
      async () => (await other.locator('#email').inputValue()) || undefined,
      'the address is filled in',
    );
    expect(await findInside(page, 'icon')).toBeUndefined();
    await page.close();
    await other.close();
  });
});

describe('the popup', () => {
  it('shows the address with its mail, and ends it', async () => {
    const page = await browser.context.newPage();
    await page.goto(pages.add('popup.test', '/signup', { body: signUp }));
    await browser.pressButton(page);
    const email = await eventually(
      async () => (await page.locator('#email').inputValue()) || undefined,
      'the address',
    );
    await service.send(email, {
      from: 'Pop <hi@popup.test>',
      subject: 'Hello',
      text: 'Your verification code is 778899.',
    });
    const popup = await browser.context.newPage();
    await popup.goto(`chrome-extension://${browser.id}/view.html#popup`);
    const own = popup.locator('.address', { hasText: email });
    await own.locator('.mail', { hasText: 'Hello' }).waitFor();
    expect(await own.locator('button.code').textContent()).toBe('778899');
    await own.getByRole('button', { name: 'End address' }).click();
    // Mail that comes meanwhile is shown, and takes back neither the question nor the focus.
    await service.send(email, { from: 'Pop <hi@popup.test>', subject: 'Another', text: 'Hello again.' });
    await own.locator('.mail', { hasText: 'Another' }).waitFor();
    expect(await popup.evaluate('document.activeElement.textContent')).toBe('End this address?');
    await own.getByRole('button', { name: 'End this address?' }).click();
    await own.waitFor({ state: 'detached' });
    await popup.close();
    await page.close();
  });
});
