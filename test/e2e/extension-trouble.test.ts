// Trouble around the extension: storage that is full, emptied or damaged, mail that turns the words around it, and a
// site’s pages without encryption.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';

import { type AppService, startAppService } from '../support/page/app-page.ts';
import {
  clickInside,
  everyHost,
  type ExtensionBrowser,
  findInside,
  launchExtension,
} from '../support/page/extension-browser.ts';
import { type ExtensionPages, servePages } from '../support/page/extension-pages.ts';
import { eventually } from '../support/eventually.ts';

let service: AppService;
let browser: ExtensionBrowser;
let pages: ExtensionPages;
let page: Page;
beforeAll(async () => {
  [service, browser, pages] = await Promise.all([
    startAppService(),
    launchExtension(everyHost),
    servePages(),
  ]);
  await browser.choose({ service: service.url, places: 'every' });
  page = await browser.context.newPage();
});
afterAll(async () => {
  pages.close();
  await browser.close();
  await service.close();
});

const signUp = `<!doctype html><title>Sign up</title><h1>Create your account</h1>
<form><label>Email <input type="email" id="email"></label><button>Sign up</button></form>
<label>Verification code <input id="code" autocomplete="one-time-code"></label>`;

function valueOf(selector: string): Promise<string> {
  return page.locator(selector).inputValue();
}

async function open(host: string): Promise<void> {
  await page.goto(pages.add(host, '/signup', { body: signUp }));
}

function filled(selector: string): Promise<string> {
  return eventually(async () => (await valueOf(selector)) || undefined, `${selector} is filled in`);
}

async function fillAddress(host: string): Promise<string> {
  await open(host);
  await clickInside(page, 'icon');
  return filled('#email');
}

function sendCode(to: string, code: string): Promise<void> {
  return service.send(to, { subject: 'Your code', text: `Your verification code is ${code}.\n` });
}

/** Fills an area to its last byte, as the browser counts them. */
function fillUp(area: 'session' | 'local'): Promise<unknown> {
  return inWorker(`(async () => {
    const { ${area}: area } = chrome.storage;
    const fill = async (junk) => {
      await area.set({ junk });
      return area.QUOTA_BYTES - await area.getBytesInUse(null);
    };
    const room = await fill('');
    const more = await fill('x'.repeat(room - 4096));
    await fill('x'.repeat(room - 4096 + more - 8));
  })()`);
}

async function inWorker(expression: string): Promise<unknown> {
  return (await browser.worker()).evaluate(expression);
}

describe('storage', () => {
  afterEach(async () => {
    await inWorker(
      `Promise.all([chrome.storage.session.remove('junk'), chrome.storage.local.remove('junk')])`,
    );
  });

  it('that is full is named, and no address is filled in that could not be found again', async () => {
    await open('full.test');
    await eventually(() => findInside(page, 'icon'), 'the icon is there');
    await fillUp('session');
    await clickInside(page, 'icon');
    const card = await eventually(() => findInside(page, 'note'), 'it says why');
    expect(card.text).toContain('storage is full');
    expect(await valueOf('#email')).toBe('');
    await inWorker(`chrome.storage.session.remove('junk')`);
    await clickInside(page, 'icon');
    expect(await filled('#email')).toMatch(/@mayfly\.test$/);
  });

  it('that becomes full loses no code, and offers none twice', async () => {
    const email = await fillAddress('filling.test');
    await fillUp('session');
    await sendCode(email, '204060');
    await clickInside(page, 'code');
    expect(await filled('#code')).toBe('204060');
    await eventually(async () => ((await findInside(page, 'card')) ? undefined : true), 'the card is gone');
    await page.locator('#code').fill('');
    await sendCode(email, '507090');
    await clickInside(page, 'code');
    expect(await filled('#code')).toBe('507090');
  });

  it('that is emptied meanwhile is written again', async () => {
    const email = await fillAddress('emptied.test');
    await inWorker('chrome.storage.session.clear()');
    await sendCode(email, '818283');
    await clickInside(page, 'code');
    expect(await filled('#code')).toBe('818283');
    await browser.endWorker();
    expect(await fillAddress('emptied.test')).toBe(email);
  });

  it('with damaged values is as good as empty', async () => {
    const before = await fillAddress('damaged.test');
    await browser.endWorker();
    await open('damaged.test');
    await inWorker(`chrome.storage.session.get(null).then((all) => chrome.storage.session.set({
      ...Object.fromEntries(Object.keys(all).map((name) => [name, { email: 7 }])), tabs: 7 }))`);
    await browser.endWorker();
    const after = await fillAddress('damaged.test');
    expect(after).toMatch(/^damaged\./);
    expect(after).not.toBe(before);
    expect(await findInside(page, 'card')).toBeUndefined();
  });

  it('with damaged settings asks for the service, and keeps the rest', async () => {
    const worker = await browser.worker();
    const settings = await worker.evaluate(`chrome.storage.local.get('settings')`);
    await worker.evaluate(
      `chrome.storage.local.set({ settings: { service: 42, apiKey: 'a-key', lifetime: {}, places: ['every'] } })`,
    );
    await open('unset.test');
    await clickInside(page, 'icon');
    const card = await eventually(() => findInside(page, 'note'), 'it says why');
    expect(card.text).toBe('Choose your Mayfly service first.');
    const options = await browser.context.newPage();
    await options.goto(`chrome-extension://${browser.id}/view.html`);
    expect(await options.locator('input.url').inputValue()).toBe('');
    expect(await options.locator('input[type=password]').inputValue()).toBe('a-key');
    await options.close();
    await worker.evaluate(`chrome.storage.local.set(${JSON.stringify(settings)})`);
  });

  it('that is full is named by the options, which change nothing', async () => {
    await fillUp('local');
    const options = await browser.context.newPage();
    await options.goto(`chrome-extension://${browser.id}/view.html`);
    await options.locator('input[type=password]').fill('a-key-that-is-longer-than-the-room-that-is-left');
    await options.locator('button.act').click();
    await options.locator('.result.is-wrong').waitFor();
    expect(await options.locator('.result').textContent()).toContain('storage is full');
    await options.reload();
    expect(await options.locator('input[type=password]').inputValue()).toBe('');
    await options.close();
  });
});

describe('a service', () => {
  const saveService = async (url: string): Promise<string> => {
    const options = await browser.context.newPage();
    await options.goto(`chrome-extension://${browser.id}/view.html`);
    await options.locator('input.url').fill(url);
    await options.locator('button.act').click();
    const words = await options.locator('.result.is-wrong').textContent();
    // Seen without scrolling.
    const { y = 0, height = 0 } = (await options.locator('.result').boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(options.viewportSize()?.height ?? 0);
    await options.close();
    return words ?? '';
  };

  it('without encryption on another machine is refused, and nothing is changed', async () => {
    expect(await saveService(service.url.replace('127.0.0.1', 'mail.home.test'))).toBe(
      'Enter an address that begins with https.',
    );
    expect(await fillAddress('refused.test')).toMatch(/@mayfly\.test$/);
  });

  it('with a certificate of its own says that it must be imported, and where', async () => {
    const worker = await browser.worker();
    const settings = await worker.evaluate(`chrome.storage.local.get('settings')`);
    const { securePort } = pages;
    expect(await saveService(`https://mail.home.test:${securePort}`)).toBe(
      `\u2068mail.home.test:${securePort}\u2069 isn’t responding. ` +
        'If its certificate is self-signed, import it in the browser’s settings.',
    );
    await worker.evaluate(`chrome.storage.local.set(${JSON.stringify(settings)})`);
  });
});

describe('a site with two accounts', () => {
  it('has a new address beside its own, and its own again', async () => {
    const first = await fillAddress('accounts.test');
    const tabId = await inWorker(
      `chrome.tabs.query({ url: 'http://accounts.test/*' }).then(([tab]) => tab.id)`,
    );
    const popup = await browser.context.newPage();
    // In a tab of its own it is itself the tab that the person sees.
    await popup.addInitScript(
      `chrome.tabs.query = () => Promise.resolve([{ id: ${String(tabId)} }]); window.close = () => {};`,
    );
    await popup.goto(`chrome-extension://${browser.id}/view.html#popup`);
    await popup.getByRole('button', { name: 'New address' }).click();
    const second = await eventually(async () => {
      const now = await valueOf('#email');
      return now === first ? undefined : now;
    }, 'another address is filled in');
    expect(second).toMatch(/^accounts\.[a-z2-9]{10}@mayfly\.test$/);
    // Where it is too long for the window, an address breaks before its domain alone.
    await popup.setViewportSize({ width: 300, height: 400 });
    const lines = await popup.evaluate<
      string[]
    >(`[...document.querySelector('.email').childNodes].map((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getClientRects().length + ' ' + node.textContent;
    }).filter((line) => !line.startsWith('0'))`);
    expect(lines).toEqual([expect.stringMatching(/^1 accounts\.\w+$/), '1 @mayfly.test']);
    await page.bringToFront();
    await sendCode(second, '161718');
    await clickInside(page, 'code');
    expect(await filled('#code')).toBe('161718');
    // Mail to the first one is there too, and a press makes it the site's own again.
    await service.send(first, { subject: 'For the first', text: 'Hello.' });
    const before = popup.locator('.address', { hasText: first });
    await before.locator('.mail', { hasText: 'For the first' }).waitFor();
    await before.getByRole('button', { name: 'Fill in' }).click();
    await eventually(async () => ((await valueOf('#email')) === first ? true : undefined), 'it is back');
    await popup.locator('.address', { hasText: second }).getByRole('button', { name: 'Fill in' }).waitFor();
    await page.locator('#code').fill('');
    await sendCode(first, '192021');
    await clickInside(page, 'code');
    expect(await filled('#code')).toBe('192021');
    await popup.close();
  });
});

describe('a page without encryption', () => {
  it('gets neither the address nor the codes of its site', async () => {
    pages.add('crypt.test', '/signup', { body: signUp });
    const [secure, plain] = [
      `https://crypt.test:${pages.securePort}/signup`,
      `http://crypt.test:${pages.port}/signup`,
    ];
    await page.goto(secure);
    await clickInside(page, 'icon');
    const email = await filled('#email');
    await page.goto(plain);
    await eventually(() => findInside(page, 'icon'), 'the icon is there');
    await sendCode(email, '333444');
    await clickInside(page, 'icon');
    expect(await filled('#email')).not.toBe(email);
    expect(await findInside(page, 'code')).toBeUndefined();
    await page.goto(secure);
    await clickInside(page, 'code');
    expect(await filled('#code')).toBe('333444');
  });

  it('is named before a link leads there', async () => {
    pages.add('crypt.test', '/signup', { body: signUp });
    await page.goto(`https://crypt.test:${pages.securePort}/signup`);
    await clickInside(page, 'icon');
    await service.send(await filled('#email'), {
      from: 'hi@crypt.test',
      subject: 'Confirm',
      html: `<a href="http://crypt.test:${pages.port}/verify?token=abc123def456">Confirm your email</a>`,
    });
    await clickInside(page, 'link');
    const asked = await eventually(() => findInside(page, 'is-asking'), 'it asks');
    expect(asked.text).toContain(`http://crypt.test:${pages.port}`);
  });
});

describe('mail that turns words around', () => {
  it('turns none but its own', async () => {
    const email = await fillAddress('turning.test');
    await service.send(email, {
      from: '"\u202Emoc.knab\u2066" <hi@xn--bnk-ela.example>',
      subject: '\u202Eedoc ruoY \u0007\u001B[31m',
      text: 'Your verification code is 246\u202E810\u202C.\n',
    });
    const sender = await eventually(() => findInside(page, 'sender'), 'the sender is named');
    expect(sender.text).toContain('xn--bnk-ela.example');
    const popup = await browser.context.newPage();
    await popup.goto(`chrome-extension://${browser.id}/view.html#popup`);
    const mail = popup.locator('.address', { hasText: email }).locator('.mail');
    await mail.waitFor();
    const turned = await popup.evaluate<string[]>(
      `[...document.querySelectorAll('.subject, .sender, .mail .small[dir]')].map((part) => getComputedStyle(part).unicodeBidi)`,
    );
    expect(turned.length).toBeGreaterThanOrEqual(3);
    expect(new Set(turned)).toEqual(new Set(['isolate']));
    expect(await mail.innerText()).not.toMatch(/[\u0000-\u0008\u000E-\u001F]/);
    expect(await mail.locator('button.code').allTextContents()).toEqual(['246810']);
    await popup.close();
  });
});
