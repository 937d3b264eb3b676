// A person signs up with the extension: two clicks, and nothing happens without them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
<form><label>Email <input type="email" id="email"></label><button>Sign up</button></form>`;
const codePage = `<!doctype html><title>Confirm</title><h1>Confirm your email</h1>
<form><label>Verification code <input id="code" autocomplete="one-time-code" inputmode="numeric" maxlength="6"></label></form>`;

function valueOf(selector: string): Promise<string> {
  return page.locator(selector).inputValue();
}

async function fillAddress(host: string, body = signUp): Promise<string> {
  await page.goto(pages.add(host, '/signup', { body }));
  await clickInside(page, 'icon');
  return eventually(async () => (await valueOf('#email')) || undefined, 'the address is filled in');
}

function sendCode(to: string, code: string, from = 'Shop <noreply@shop.test>'): Promise<void> {
  return service.send(to, { from, subject: 'Your code', text: `Your verification code is ${code}.\n` });
}

describe('a sign-up', () => {
  it('takes two clicks: one for the address, one for the code', async () => {
    const email = await fillAddress('shop.test');
    expect(email).toMatch(/^shop\.[a-z2-9]{10}@mayfly\.test$/);
    await page.goto(pages.add('shop.test', '/code', { body: codePage }));
    await sendCode(email, '482913');
    const { text } = await clickInside(page, 'code');
    expect(text).toContain('482 913');
    await eventually(
      async () => ((await valueOf('#code')) === '482913' ? true : undefined),
      'the code is filled in',
    );
    expect(await findInside(page, 'sender')).toBeUndefined();
    await eventually(async () => ((await findInside(page, 'card')) ? undefined : true), 'the card is gone');
  });

  it('has the address from before on the next form of the site, also of its other hosts', async () => {
    const before = await fillAddress('shop.test');
    expect(await fillAddress('www.shop.test')).toBe(before);
    expect(await fillAddress('other.test')).not.toBe(before);
  });

  it('names the domain of a sender that is not the site', async () => {
    const email = await fillAddress('bank.test');
    await page.goto(pages.add('bank.test', '/code', { body: codePage }));
    await sendCode(email, '550011', 'Bank <no-reply@b4nk.example>');
    const sender = await eventually(() => findInside(page, 'sender'), 'the sender is named');
    expect(sender.text).toContain('b4nk.example');
  });

  it('offers a code to copy where no field asks for it, and in the field once there is one', async () => {
    const email = await fillAddress('late.test');
    await sendCode(email, '120045', 'Late <hi@late.test>');
    const code = await eventually(() => findInside(page, 'code'), 'the code is offered');
    expect(code.text).toContain('Copy');
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<label>Code <input id="code" autocomplete="one-time-code"></label>')`,
    );
    await eventually(
      async () => ((await findInside(page, 'code'))?.text.includes('Fill in') ? true : undefined),
      'it moves',
    );
    await clickInside(page, 'code');
    await eventually(
      async () => ((await valueOf('#code')) === '120045' ? true : undefined),
      'the code is filled in',
    );
  });

  it('fills in a code character by character where each has a box', async () => {
    const box =
      '<input maxlength="1" inputmode="numeric" style="width:30px" oninput="this.nextElementSibling?.focus()">';
    const email = await fillAddress(
      'boxes.test',
      `${signUp}<h2>Verification code</h2><div id="row">${box.repeat(6)}</div>`,
    );
    await sendCode(email, '907113', 'Boxes <hi@boxes.test>');
    await clickInside(page, 'code');
    const values = `[...document.querySelectorAll('#row input')].map((box) => box.value).join('')`;
    await eventually(
      async () => ((await page.evaluate(values)) === '907113' ? true : undefined),
      'all boxes are filled',
    );
  });

  it('opens a link of the site by one click, and another one only after it was named', async () => {
    const email = await fillAddress('links.test');
    const send = (url: string): Promise<void> =>
      service.send(email, {
        from: 'hi@links.test',
        subject: 'Confirm',
        html: `<a href="${url}">Confirm your email</a>`,
      });
    pages.add('links.test', '/verify?token=abc123def456', { body: 'Confirmed' });
    await send(`http://links.test:${pages.port}/verify?token=abc123def456`);
    const [opened] = await Promise.all([browser.context.waitForEvent('page'), clickInside(page, 'link')]);
    await opened.waitForURL(/links\.test.*token=abc123def456/);
    await opened.close();
    await send('https://click.tracker.example/verify?token=zzz999yyy888');
    await clickInside(page, 'link');
    const asked = await eventually(() => findInside(page, 'is-asking'), 'it asks');
    expect(asked.text).toContain('click.tracker.example');
  });
});

describe('filling in', () => {
  it('does not follow from clicks of the page’s own', async () => {
    await page.goto(pages.add('sly.test', '/signup', { body: signUp }));
    const icon = await eventually(() => findInside(page, 'icon'), 'the icon is there');
    await page.evaluate(`(() => {
      const host = document.elementFromPoint(${icon.x}, ${icon.y});
      const event = () => new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, view: window, clientX: ${icon.x}, clientY: ${icon.y} });
      for (const target of [host, host.shadowRoot, document.elementFromPoint(${icon.x}, ${icon.y})]) target?.dispatchEvent(event());
      host.click();
    })()`);
    // A person's click afterwards is heard alone: one address, made for it.
    expect(await valueOf('#email')).toBe('');
    expect(await page.evaluate('document.documentElement.lastElementChild.shadowRoot')).toBeNull();
  });

  it('does not follow from a click on an icon that the page has made invisible', async () => {
    await page.goto(pages.add('hidden.test', '/signup', { body: signUp }));
    const icon = await eventually(() => findInside(page, 'icon'), 'the icon is there');
    await page.evaluate(`document.documentElement.style.opacity = '0.01'`);
    await page.mouse.click(icon.x, icon.y);
    await page.evaluate(`document.documentElement.style.opacity = ''`);
    expect(await valueOf('#email')).toBe('');
    await clickInside(page, 'icon');
    await eventually(async () => (await valueOf('#email')) || undefined, 'a visible one works');
  });

  it.each([
    ['shrunk', `host.style.setProperty('scale', '0.2', 'important')`],
    ['moved', `host.style.setProperty('translate', '1px', 'important')`],
    [
      'covered with a picture that lets clicks through',
      `const cover = document.createElement('div');
      cover.popover = 'manual';
      cover.style.cssText = 'inset: 0; width: 100vw; height: 100vh; background: white; pointer-events: none';
      document.body.append(cover);
      cover.showPopover();`,
    ],
  ])('does not follow from a click on an icon that the page has %s', async (how, change) => {
    const name = `cover${how.length}.test`;
    await page.goto(pages.add(name, '/signup', { body: signUp }));
    const icon = await eventually(() => findInside(page, 'icon'), 'the icon is there');
    await page.evaluate(`{ const host = document.documentElement.lastElementChild; ${change} }`);
    await page.mouse.click(icon.x, icon.y);
    await page.evaluate(`{
      for (const name of ['scale', 'translate']) document.documentElement.lastElementChild.style.removeProperty(name);
      for (const cover of document.body.querySelectorAll('[popover]')) cover.remove();
    }`);
    expect(await valueOf('#email')).toBe('');
    await clickInside(page, 'icon');
    await eventually(async () => (await valueOf('#email')) || undefined, 'one that can be seen works');
  });

  it('is not done in a document that has come into the frame meanwhile', async () => {
    await page.goto(pages.add('late.test', '/signup', { body: signUp }));
    await eventually(() => findInside(page, 'icon'), 'the icon is there');
    const worker = await browser.worker();
    const press = (origin: string): Promise<unknown> =>
      worker.evaluate(`chrome.tabs.query({ active: true }).then(([tab]) =>
        chrome.tabs.sendMessage(tab.id, { kind: 'press', origin: ${JSON.stringify(origin)}, email: 'a@b.test' }))`);
    await press('http://before.test');
    expect(await valueOf('#email')).toBe('');
    await press(`http://late.test:${pages.port}`);
    expect(await valueOf('#email')).toBe('a@b.test');
  });

  it('does not depend on the clock of the machine', async () => {
    const worker = await browser.worker();
    await worker.evaluate('{ const { now } = Date; Date.now = () => now.call(Date) + 2 * 3_600_000; }');
    const email = await fillAddress('clock.test');
    await page.reload();
    expect(await fillAddress('clock.test')).toBe(email);
    await browser.endWorker();
  });

  it('is offered in frames of the same site, and in no other', async () => {
    pages.add('frame.shop.test', '/form', { body: signUp });
    const url = (host: string): string => `http://${host}:${pages.port}/form`;
    const around = (src: string): string =>
      `<!doctype html><h1>Join</h1><iframe src="${src}" width="600" height="300"></iframe>`;
    await page.goto(pages.add('www.shop.test', '/framed', { body: around(url('frame.shop.test')) }));
    await clickInside(page, 'icon');
    const frame = page.frames()[1];
    await eventually(
      async () => (await frame?.locator('#email').inputValue()) || undefined,
      'the frame is filled',
    );
    await page.goto(
      pages.add('evil.test', '/framed', { body: `${around(url('frame.shop.test'))}${signUp}` }),
    );
    await eventually(() => findInside(page, 'icon'), 'the page itself has its icon');
    await page.evaluate(`document.querySelector('form').remove()`);
    await eventually(
      async () => ((await findInside(page, 'icon')) ? undefined : true),
      'and then none is left',
    );
  });
});

describe('a page', () => {
  it('with a strict policy works, sees no violation and gets no request', async () => {
    const csp =
      "default-src 'self'; script-src 'self'; style-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
    pages.add('strict.test', '/watch.js', {
      type: 'text/javascript',
      body: `window.violations = []; document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));`,
    });
    const url = pages.add('strict.test', '/signup', {
      body: `<!doctype html><script src="/watch.js"></script>${signUp}${codePage}`,
      headers: { 'content-security-policy': csp },
    });
    await page.goto(url);
    const before = pages.requests.length;
    await clickInside(page, 'icon');
    const email = await eventually(
      async () => (await valueOf('#email')) || undefined,
      'the address is filled in',
    );
    await sendCode(email, '664422', 'Strict <hi@strict.test>');
    await clickInside(page, 'code');
    await eventually(
      async () => ((await valueOf('#code')) === '664422' ? true : undefined),
      'the code is filled in',
    );
    expect(await page.evaluate('violations')).toEqual([]);
    expect(pages.requests.slice(before).filter((line) => !line.includes('favicon'))).toEqual([]);
  });

  it('and its content script cannot read a token', async () => {
    await fillAddress('shop.test');
    const session = await page.context().newCDPSession(page);
    const worlds: number[] = [];
    session.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.origin.includes(browser.id)) worlds.push(context.id);
    });
    await session.send('Runtime.enable');
    const [contextId = 0] = worlds;
    const expression = `chrome.storage.session.get(null).then(JSON.stringify, (error) => 'refused: ' + error.message)`;
    const { result } = await session.send('Runtime.evaluate', { contextId, expression, awaitPromise: true });
    expect(String(result.value)).toContain('refused');
    const settings = await session.send('Runtime.evaluate', {
      contextId,
      expression: expression.replace('session', 'local'),
      awaitPromise: true,
    });
    expect(String(settings.result.value)).toContain('refused');
    expect(await page.evaluate('typeof mayfly + typeof chrome?.storage')).toBe('undefinedundefined');
    await session.detach();
  });
});

describe('the worker', () => {
  it('hears a click that wakes it, and one that it was ended over', async () => {
    await page.goto(pages.add('waking.test', '/signup', { body: signUp }));
    await eventually(() => findInside(page, 'icon'), 'the icon is there');
    await browser.endWorker();
    await clickInside(page, 'icon');
    await eventually(async () => (await valueOf('#email')) || undefined, 'the address is filled in');
    await page.goto(pages.add('ended.test', '/signup', { body: signUp }));
    await eventually(() => findInside(page, 'icon'), 'the icon is there');
    await Promise.all([clickInside(page, 'icon'), browser.endWorker()]);
    await eventually(async () => (await valueOf('#email')) || undefined, 'the address is filled in');
  });

  it('continues where it was after the browser ended it', async () => {
    const email = await fillAddress('sleepy.test');
    await page.goto(pages.add('sleepy.test', '/code', { body: codePage }));
    await browser.endWorker();
    await sendCode(email, '731500', 'Sleepy <hi@sleepy.test>');
    await clickInside(page, 'code');
    await eventually(
      async () => ((await valueOf('#code')) === '731500' ? true : undefined),
      'the code is filled in',
    );
  });
});
