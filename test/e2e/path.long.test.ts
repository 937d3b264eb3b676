// The path of a person who signs up somewhere: from the form to the address, and from the mail to the code in its field,
// counted in clicks and switches of the tab, with the time that the programs take for it. `OTHER_BUILD`, the folder of
// another build of the service, is measured in turns with this one.
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  type AppService,
  launchAppBrowser,
  openAppPage,
  startAppService,
  withServiceWorker,
} from '../support/page/app-page.ts';
import { type ExtensionPages, servePages } from '../support/page/extension-pages.ts';
import { clickInside, everyHost, launchExtension } from '../support/page/extension-browser.ts';
import { eventually } from '../support/eventually.ts';

const rounds = 9;
const code = '482913';
// Forms put the focus into their first field, so that a person pastes at once.
const form = `<!doctype html><title>Sign up</title><h1>Create your account</h1>
<form action="/code"><label>Email <input type="email" id="email" autofocus></label><button>Sign up</button></form>`;
const codePage = `<!doctype html><title>Confirm</title><h1>Confirm your email</h1>
<label>Verification code <input id="code" autocomplete="one-time-code" autofocus></label>`;

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

/** Counts what a person does: clicks by the events that tabs get, and changes from one tab to another. */
class Steps {
  #clicks = 0;
  #switches = 0;
  #front: Page | undefined;
  readonly #startedAt = performance.now();

  /** Counts the trusted clicks in each document that the context loads from now on, in the extension's elements too. */
  static async watch(context: BrowserContext, name: string): Promise<(steps: Steps) => void> {
    let current: Steps | undefined;
    await context.exposeBinding(name, () => {
      if (current) current.#clicks += 1;
    });
    // A form that is sent by Enter gets a click too, without a pointer.
    await context.addInitScript(`addEventListener('click', ({ isTrusted, detail }) => {
      if (isTrusted && detail > 0) window.${name}();
    }, { capture: true });`);
    return (steps) => {
      current = steps;
    };
  }

  async turnTo(page: Page): Promise<void> {
    if (this.#front !== undefined && this.#front !== page) this.#switches += 1;
    this.#front = page;
    await page.bringToFront();
  }

  /** Waits until the last click is counted. */
  async toPath(clicks: number): Promise<Path> {
    const ms = performance.now() - this.#startedAt;
    await eventually(async () => (this.#clicks >= clicks ? true : undefined), `${clicks} clicks are counted`);
    return { clicks: this.#clicks, switches: this.#switches, ms };
  }
}

function sendCode(service: AppService, email: string): Promise<void> {
  return service.send(email, { subject: 'Code', text: `Your verification code is ${code}.` });
}

function readFilled(site: Page, selector: string, what: string): Promise<string> {
  return eventually(async () => (await site.locator(selector).inputValue()) || undefined, what);
}

/** Opens the page beside the form, and copies and pastes. */
async function walkWithPage(
  service: AppService,
  steps: Steps,
  tabs: { site: Page; page: Page },
): Promise<Path> {
  const { site, page } = tabs;
  const take = async (selector: string, done: string): Promise<void> => {
    await steps.turnTo(page);
    await page.locator(selector).first().click();
    await page.getByText(done, { exact: true }).first().waitFor();
  };
  const paste = async (selector: string): Promise<string> => {
    await steps.turnTo(site);
    await site.locator(`${selector}:focus`).waitFor();
    await site.keyboard.press('Control+V');
    return readFilled(site, selector, 'it is pasted');
  };
  await page.goto(service.url);
  await take('.inbox-head .button.is-primary', 'Copied');
  const email = await paste('#email');
  await site.keyboard.press('Enter');
  await site.locator('#code').waitFor();
  await sendCode(service, email);
  await take('.button.is-code', 'Copied');
  expect(await paste('#code')).toBe(code);
  return steps.toPath(2);
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
        const { page, context, close } = await openAppPage(browser, service, withServiceWorker);
        const count = await Steps.watch(context, 'countClick');
        const site = await context.newPage();
        await site.goto(pages.add('127.0.0.1', '/signup', { body: form }));
        pages.add('127.0.0.1', '/code?', { body: codePage });
        const steps = new Steps();
        count(steps);
        const path = await walkWithPage(service, steps, { site, page });
        // The first round meets code that is not compiled yet.
        if (round > 0) walked[at]!.push(path);
        await close();
      }
    }
    for (const [at, paths] of walked.entries()) {
      describePaths(`page, ${at === 0 ? 'this build' : 'the other'}`, paths);
      expect(new Set(paths.map(({ clicks }) => clicks))).toEqual(new Set([2]));
      expect(new Set(paths.map(({ switches }) => switches))).toEqual(new Set([3]));
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
    const count = await Steps.watch(browser.context, 'countClick');
    const site = await browser.context.newPage();
    const paths: Path[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const host = `round${round}.test`;
      pages.add(host, '/code?', { body: codePage });
      await site.goto(pages.add(host, '/signup', { body: form }));
      const steps = new Steps();
      count(steps);
      await steps.turnTo(site);
      await clickInside(site, 'icon');
      const email = await readFilled(site, '#email', 'the address is filled in');
      await site.locator('#email').press('Enter');
      await site.locator('#code').waitFor();
      await sendCode(service, email);
      await clickInside(site, 'code');
      expect(await readFilled(site, '#code', 'the code is filled in')).toBe(code);
      const path = await steps.toPath(2);
      if (round > 0) paths.push(path);
    }
    describePaths('extension', paths);
    expect(new Set(paths.map(({ clicks }) => clicks))).toEqual(new Set([2]));
    expect(new Set(paths.map(({ switches }) => switches))).toEqual(new Set([0]));
  } finally {
    await browser.close();
    await service.close();
  }
});
