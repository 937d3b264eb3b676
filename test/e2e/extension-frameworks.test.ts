// Inputs that frameworks control: their state must have what the extension fills in.
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';

import { type AppService, startAppService } from '../support/page/app-page.ts';
import {
  clickInside,
  everyHost,
  type ExtensionBrowser,
  launchExtension,
} from '../support/page/extension-browser.ts';
import { type ExtensionPages, servePages } from '../support/page/extension-pages.ts';
import { eventually } from '../support/eventually.ts';

const fixtures = fileURLToPath(new URL('../../clients/extension/test/fixtures/frameworks/', import.meta.url));

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

async function bundle(name: string): Promise<string> {
  const build = await rolldown({
    input: `${fixtures}${name}.mjs`,
    platform: 'browser',
    tsconfig: false,
    transform: { define: { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true' } },
  });
  try {
    const { output } = await build.generate({ format: 'esm' });
    return output[0].code;
  } finally {
    await build.close();
  }
}

async function stateHas(wanted: object): Promise<void> {
  await eventually(
    async () => {
      const state = await page.locator('output').textContent();
      return JSON.stringify(JSON.parse(state ?? '{}')) === JSON.stringify(wanted) ? true : undefined;
    },
    `the state is ${JSON.stringify(wanted)}`,
  );
}

describe.each(['react', 'vue', 'angular'])('%s', (name) => {
  it('takes the address and a code in six boxes as typed', async () => {
    const host = `${name}.test`;
    pages.add(host, '/app.js', { type: 'text/javascript', body: await bundle(name) });
    const body = `<!doctype html><title>Sign up</title><div id="app"></div><script type="module" src="/app.js"></script>`;
    await page.goto(pages.add(host, '/signup', { body }));
    await clickInside(page, 'icon');
    const email = await eventually(
      async () => (await page.locator('input[type=email]').inputValue()) || undefined,
      'the address is filled in',
    );
    await stateHas({ email, code: '' });
    expect(await page.locator('button').isEnabled()).toBe(true);
    await service.send(email, {
      from: `hi@${host}`,
      subject: 'Code',
      text: 'Your verification code is 482913.',
    });
    await clickInside(page, 'code');
    await stateHas({ email, code: '482913' });
  });
});
