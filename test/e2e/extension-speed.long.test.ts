// How soon a person has the address and the code, and that the worker's own sleep loses neither.
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

/** Notes when the page sees the click and when its fields are filled or offered something, in its own time. */
const noteTimes = `
window.times = {};
addEventListener('pointerup', () => { times.click ??= performance.now(); }, true);
addEventListener('input', () => { times.filled ??= performance.now(); }, true);
new MutationObserver(() => {
  const last = document.documentElement.lastElementChild;
  if (last?.matches('div') && last.getBoundingClientRect().width > 100) times.offered ??= Date.now();
}).observe(document.documentElement, { childList: true });`;
const signUp = `<!doctype html><title>Sign up</title><script>${noteTimes}</script><h1>Create your account</h1>
<form><label>Email <input type="email" id="email"></label><button>Sign up</button></form>
<label>Verification code <input id="code" autocomplete="one-time-code"></label>`;

/** The first starts the service's reading threads, and does not count. */
const rounds = 61;
/** Milliseconds; the targets on a quiet machine are 40 and 100, and a busy one must not fail them. */
const deadline = 1000;

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

async function signUpAt(host: string): Promise<string> {
  await page.goto(pages.add(host, '/signup', { body: signUp }));
  await clickInside(page, 'icon');
  return eventually(
    async () => (await page.locator('#email').inputValue()) || undefined,
    'the address is filled in',
  );
}

describe('the extension', () => {
  it('fills in an address at once, and offers a code at once', async () => {
    const filled: number[] = [];
    const offered: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const email = await signUpAt(`round${round}.test`);
      await service.send(email, {
        from: 'hi@shop.test',
        subject: 'Code',
        text: 'Your verification code is 482913.',
      });
      const acceptedAt = Date.now();
      await eventually(() => findInside(page, 'code'), 'the code is offered');
      const times = await page.evaluate<{ click: number; filled: number; offered: number }>('times');
      filled.push(times.filled - times.click);
      offered.push(times.offered - acceptedAt);
    }
    filled.shift();
    offered.shift();
    const figures = {
      'click to filled, p50 ms': quantile(filled, 0.5),
      'click to filled, p99 ms': quantile(filled, 0.99),
      '250 to offered, p50 ms': quantile(offered, 0.5),
      '250 to offered, p99 ms': quantile(offered, 0.99),
    };
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    expect(quantile(filled, 0.5)).toBeLessThan(deadline);
    expect(quantile(offered, 0.99)).toBeLessThan(deadline);
  });

  it('offers a code that comes after the worker could have slept twice', async () => {
    const email = await signUpAt('patient.test');
    await new Promise((resolve) => setTimeout(resolve, 75_000));
    await service.send(email, {
      from: 'hi@patient.test',
      subject: 'Code',
      text: 'Your verification code is 731500.',
    });
    await clickInside(page, 'code');
    await eventually(
      async () => ((await page.locator('#code').inputValue()) === '731500' ? true : undefined),
      'the code is filled in',
    );
  });
});
