// The path of a person who signs up somewhere: from the form to the address, and from the mail to the code in its field,
// counted in clicks and switches of the tab, with the time that the programs take for it. `OTHER_BUILD`, the folder of
// another build of the service, is measured in turns with this one.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type AppService,
  desktop,
  launchAppBrowser,
  openAppPage,
  startAppService,
} from '../support/page/app-page.ts';
import { type ExtensionPages, servePages } from '../support/page/extension-pages.ts';
import { clickInside, everyHost, launchExtension } from '../support/page/extension-browser.ts';
import { eventually } from '../support/eventually.ts';

const rounds = 9;
const code = '482913';
const form = `<!doctype html><title>Sign up</title><h1>Create your account</h1>
<form action="/code"><label>Email <input type="email" id="email"></label><button>Sign up</button></form>`;
const codePage = `<!doctype html><title>Confirm</title><h1>Confirm your email</h1>
<label>Verification code <input id="code" autocomplete="one-time-code"></label>`;

let pages: ExtensionPages;
beforeAll(async () => {
  pages = await servePages();
});
afterAll(() => {
  pages.close();
});

interface Path {
  readonly clicks: number;
  readonly switches: number;
  readonly ms: number;
}

function sendCode(service: AppService, email: string): Promise<void> {
  return service.send(email, { subject: 'Code', text: `Your verification code is ${code}.` });
}

/** Opens the page beside the form, and copies and pastes. */
async function walkWithPage(service: AppService, site: Page, page: Page): Promise<Path> {
  let clicks = 0;
  let switches = 0;
  const startedAt = performance.now();
  const take = async (selector: string): Promise<void> => {
    await page.bringToFront();
    await page.locator(selector).first().click();
    clicks += 1;
  };
  const paste = async (selector: string): Promise<string> => {
    await site.bringToFront();
    switches += 1;
    await site.locator(selector).focus();
    await site.keyboard.press('Control+V');
    return eventually(async () => (await site.locator(selector).inputValue()) || undefined, 'it is pasted');
  };
  await page.goto(service.url);
  await take('.inbox-head .button.is-primary');
  const email = await paste('#email');
  await site.keyboard.press('Enter');
  await site.locator('#code').waitFor();
  await sendCode(service, email);
  switches += 1;
  await take('.button.is-code');
  expect(await paste('#code')).toBe(code);
  return { clicks, switches, ms: performance.now() - startedAt };
}

function describePaths(name: string, paths: readonly Path[]): void {
  const [first] = paths;
  const times = paths.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? NaN;
  process.stdout.write(
    `${name}: ${first?.clicks} clicks, ${first?.switches} switches, ${median.toFixed(0)} ms of programs\n`,
  );
}

it('takes two clicks with the page', async () => {
  const other = process.env['OTHER_BUILD'];
  const builds = [undefined, ...(other === undefined ? [] : [other])];
  const browser = await launchAppBrowser({ isWhole: true });
  const services = await Promise.all(builds.map((build) => startAppService({}, build)));
  try {
    const walked = builds.map((): Path[] => []);
    for (let round = 0; round <= rounds; round += 1) {
      for (const [at, service] of services.entries()) {
        const { page, context, close } = await openAppPage(browser, service, desktop);
        const site = await context.newPage();
        await site.goto(pages.add('127.0.0.1', '/signup', { body: form }));
        pages.add('127.0.0.1', '/code?', { body: codePage });
        const path = await walkWithPage(service, site, page);
        // The first round meets code that is not compiled yet.
        if (round > 0) walked[at]!.push(path);
        await close();
      }
    }
    for (const [at, paths] of walked.entries()) {
      describePaths(`page, ${at === 0 ? 'this build' : 'the other'}`, paths);
      expect(paths.every(({ clicks }) => clicks === 2)).toBe(true);
    }
  } finally {
    for (const service of services) await service.close();
    await browser.close();
  }
});

it('takes two clicks with the extension, and never leaves the site', async () => {
  const [service, browser] = await Promise.all([startAppService(), launchExtension(everyHost)]);
  try {
    await browser.choose({ service: service.url, places: 'every' });
    const site = await browser.context.newPage();
    const paths: Path[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const host = `round${round}.test`;
      pages.add(host, '/code?', { body: codePage });
      await site.goto(pages.add(host, '/signup', { body: form }));
      const startedAt = performance.now();
      await clickInside(site, 'icon');
      const email = await eventually(
        async () => (await site.locator('#email').inputValue()) || undefined,
        'the address is filled in',
      );
      await site.locator('#email').press('Enter');
      await site.locator('#code').waitFor();
      await sendCode(service, email);
      await clickInside(site, 'code');
      await eventually(
        async () => ((await site.locator('#code').inputValue()) === code ? true : undefined),
        'the code is filled in',
      );
      if (round > 0) paths.push({ clicks: 2, switches: 0, ms: performance.now() - startedAt });
    }
    describePaths('extension', paths);
  } finally {
    await browser.close();
    await service.close();
  }
});
