// The first address is asked for and shown before the page's own script and style sheet are there, and only where a visit
// is the first.
import { randomInt } from 'node:crypto';

import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { desktop, noFaults, phone, readAddress, useAppService } from '../support/page/app-page.ts';

const app = useApp({}, { hasServiceWorker: true });
const tablet = { viewport: { width: 900, height: 800 } };

/** Opens an empty page that counts the requests for an address, and holds the page's files back until `release`. */
async function hold(options: BrowserContextOptions): Promise<{
  page: Page;
  asked: string[];
  faults: unknown;
  release: () => void;
}> {
  const { page, context, faults } = await app.openPage({
    ...options,
    at: { ...app.service, url: 'about:blank' },
  });
  const asked: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/create-session')) asked.push(request.method());
  });
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(/assets\/index-[^/]*\.(?:js|css)$/, async (route) => {
    await isReleased;
    await route.continue();
  });
  return { page, asked, faults, release };
}

/** Where the parts of the first view stand, and in what colours. */
const looks = `['.rail', '.brand', '.mark', '.main', '.inbox', '.address', '.address-local', '.address-domain'].map((part) => {
  const element = document.querySelector(part);
  const { x, y, height } = element.getBoundingClientRect();
  const { color, backgroundColor, fontSize, fontWeight, borderRadius, borderInlineEndWidth } = getComputedStyle(element);
  return { part, x, y, height, color: element.textContent && color, backgroundColor, fontSize, fontWeight, borderRadius, borderInlineEndWidth };
})`;

/** As long as the longest that packages/names makes. */
const longest = 'crimson.giraffe.lantern';

it.each([
  ['a phone', { ...phone, locale: 'ru' }, longest],
  ['a dark phone', { ...phone, colorScheme: 'dark' }, 'tiny.b'],
  ['a tablet', tablet, longest],
  ['a tablet in Hindi', { ...tablet, locale: 'hi' }, 'harbor.pla'],
  ['a desktop', { ...desktop, locale: 'ja' }, 'mellow.jackpot'],
  ['a dark desktop', { ...desktop, locale: 'de', colorScheme: 'dark' }, longest],
] as const)(
  'shows the address on %s before the files are there, and where it stays',
  async (_, options, words) => {
    const name = words + String(randomInt(200_000, 999_999));
    const { page, asked, faults, release } = await hold(options);
    await giveName(page, name);
    await page.goto(app.service.url, { waitUntil: 'commit' });
    const address = page.getByTestId('address');
    await address.filter({ hasText: '@' }).waitFor();
    const early = await page.evaluate(looks);
    release();
    expect(await readAddress(page)).toBe(`${name}@mayfly.test`);
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate(looks)).toEqual(early);
    expect(await page.evaluate(selected)).toBe(`${name}@mayfly.test`);
    expect(await page.locator('#app > *').count()).toBe(1);
    expect(asked).toEqual(['POST']);
    expect(faults).toEqual(noFaults);
  },
);

/** The text that is copied when the address is selected. */
const selected = `(() => {
  getSelection().selectAllChildren(document.querySelector('.address'));
  return String(getSelection());
})()`;

/** Asks for the name in the page's stead. */
async function giveName(page: Page, name: string): Promise<void> {
  await page.route(/\/create-session$/, async (route) => {
    const headers = { ...route.request().headers(), 'content-type': 'application/json' };
    await route.continue({ headers, postData: JSON.stringify({ prefix: name }) });
  });
}

it('asks for the page after it has asked for the address', async () => {
  const { page } = await app.openPage({ at: { ...app.service, url: 'about:blank' } });
  const asked: string[] = [];
  page.on('request', (request) => {
    asked.push(new URL(request.url()).pathname.replace(/-[^.]*/, ''));
  });
  await page.goto(app.service.url);
  await readAddress(page);
  expect(asked.slice(0, 2)).toEqual(['/', '/create']);
  expect(asked.slice(2, 4)).toEqual(['/assets/index.css', '/assets/index.js']);
});

it('begins in the colours that were chosen', async () => {
  const { page, release } = await hold({ ...desktop, colorScheme: 'light' });
  await page.goto(`${app.service.url}icon.svg`);
  await page.evaluate(`localStorage.setItem('mayfly.settings', '{"theme":"dark"}')`);
  await page.goto(app.service.url, { waitUntil: 'commit' });
  await page.getByTestId('address').waitFor();
  const ground = 'getComputedStyle(document.documentElement).backgroundColor';
  expect(await page.evaluate(ground)).toBe('rgb(15, 18, 17)');
  release();
  await readAddress(page);
  expect(await page.evaluate(ground)).toBe('rgb(15, 18, 17)');
});

it('runs no other script that stands in the page', async () => {
  const { page, context, faults } = await app.openPage({ at: { ...app.service, url: 'about:blank' } });
  const added = '<script>window.ran = true</script><style>#app { display: none }</style></head>';
  await context.route(app.service.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('</head>', added) });
  });
  await page.goto(app.service.url);
  expect(await readAddress(page)).toContain('@');
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(await page.locator('#app').isVisible()).toBe(true);
  const refused = faults.violations.map((violation) => violation.split(' ').slice(0, 2).join(' '));
  expect(refused.toSorted()).toEqual(['script-src-elem inline', 'style-src-elem inline']);
});

it.each(['script', 'style'])('offers a plain page where a proxy has changed the %s', async (element) => {
  const { page, context } = await app.openPage({ at: { ...app.service, url: 'about:blank' } });
  await context.route(app.service.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(`<${element}>`, `<${element}> `) });
  });
  await page.goto(app.service.url);
  if (element === 'script') {
    const link = page.getByRole('link', { name: 'Try the plain page' });
    expect(await link.count()).toBe(0);
    await page.evaluate('for (const animation of document.getAnimations()) animation.finish()');
    await link.click();
  }
  expect(await readAddress(page)).toContain('@mayfly.test');
  expect(await page.locator('.late').count()).toBe(0);
});

it('asks once in each tab of a first visit, and not again at a reload', async () => {
  const { page, asked, release } = await hold(desktop);
  release();
  await page.goto(app.service.url);
  const email = await readAddress(page);
  expect(asked).toEqual(['POST']);
  await page.reload();
  expect(await readAddress(page)).toBe(email);
  const other = await page.context().newPage();
  await other.goto(app.service.url);
  expect(await readAddress(other)).toBe(email);
  expect(asked).toEqual(['POST']);
});

/** Opens two tabs of one browser at once. `asked` has the requests for an address, each answered after `release`. */
async function openTwo(script = ''): Promise<{ tabs: Page[]; asked: string[]; release: () => void }> {
  const context = await app.browser.newContext({ locale: 'en-US' });
  onTestFinished(() => context.close());
  if (script !== '') await context.addInitScript(script);
  const asked: string[] = [];
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await context.route(/\/create-session$/, async (route) => {
    asked.push(route.request().method());
    await isReleased;
    await route.continue();
  });
  const tabs = [await context.newPage(), await context.newPage()];
  await Promise.all(tabs.map((tab) => tab.goto(app.service.url)));
  return { tabs, asked, release };
}

it('makes one address for two tabs opened at once', async () => {
  const { tabs, asked, release } = await openTwo();
  await expect.poll(() => asked.length).toBe(1);
  release();
  const [one, other] = await Promise.all(tabs.map(readAddress));
  expect(one).toMatch(/@mayfly\.test$/);
  expect(other).toBe(one);
  expect(asked).toHaveLength(1);
});

it('keeps both addresses of two tabs where tabs cannot agree', async () => {
  const { tabs, asked, release } = await openTwo('delete Navigator.prototype.locks');
  await expect.poll(() => asked.length).toBe(2);
  release();
  // A tab may show the other's address until it has its own.
  const readBoth = (): Promise<Set<string>> => Promise.all(tabs.map(readAddress)).then((all) => new Set(all));
  await expect.poll(async () => (await readBoth()).size).toBe(2);
  const emails = [...(await readBoth())].toSorted();
  const kept = `JSON.parse(localStorage.getItem('mayfly.sessions')).sessions.map(({ email }) => email).sort()`;
  for (const tab of tabs) await expect.poll(() => tab.evaluate(kept)).toEqual(emails);
});

it('does not wait for ever for a tab that gets no answer', async () => {
  const { tabs, asked } = await openTwo();
  await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(2);
  expect(tabs).toHaveLength(2);
});

it('leaves a link to another inbox to the page', async () => {
  const { email, page: own } = await app.open();
  const token = String(await own.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"));
  const { page, asked, release } = await hold(desktop);
  release();
  await page.goto(`${app.service.url}#share=${token}`);
  await page.getByRole('dialog').getByText(email).first().waitFor();
  expect(asked).toEqual([]);
});

it('says why a service that wants a key gives no address', async () => {
  const service = await useAppService({ MAYFLY_HTTP_API_KEY_REQUIRED: 'on' });
  const { page } = await app.openPage({ at: service });
  await page.getByText('This service requires an API key').waitFor();
  expect(await page.getByTestId('address').count()).toBe(0);
});

it('shows the page of a right-to-left language only as a whole', async () => {
  const { page, faults, release } = await hold({ ...desktop, locale: 'ar' });
  const answered = page.waitForResponse(/create-session/);
  await page.goto(app.service.url, { waitUntil: 'commit' });
  await (await answered).finished();
  expect(await page.locator('#app > *').count()).toBe(0);
  release();
  expect(await readAddress(page)).toContain('@mayfly.test');
  expect(faults).toEqual(noFaults);
});
