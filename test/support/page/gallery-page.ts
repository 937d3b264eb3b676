// web/gallery.html, built into a temporary folder and opened in Chromium: components in every state, with a fixed
// clock and fonts, so that pictures of them can be compared. For test/e2e/gallery.test.ts.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';

import { checkAccessibility } from './app-accessibility.ts';
import { launchChromium, wholeBrowser } from './chromium.ts';

const web = fileURLToPath(new URL('../../../web', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};
const origin = 'http://localhost/';
/** As in web/gallery/samples.ts. */
const sampleNow = Date.UTC(2026, 4, 4, 9, 41);

export interface Gallery {
  /** Opens the page in its own browser profile and waits until it is complete. */
  open(options: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export async function startGallery(): Promise<Gallery> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-gallery-'));
  await build({
    configFile: path.join(web, 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: { input: path.join(web, 'gallery.html') },
    },
  });
  const browser = await launch();
  return {
    open: (options) => openGallery(browser, folder, options),
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true });
    },
  };
}

function launch(): Promise<Browser> {
  return launchChromium(wholeBrowser, [
    ...['--force-device-scale-factor=1', '--hide-scrollbars'],
    ...['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'],
  ]);
}

async function openGallery(browser: Browser, folder: string, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    ...options,
  });
  context.setDefaultTimeout(60_000);
  // No server: its port would appear in the QR code.
  await context.route(`${origin}**`, async (route) => {
    const name = path.basename(new URL(route.request().url()).pathname);
    const body = await readFile(path.join(folder, name.endsWith('.html') ? '' : 'assets', name));
    await route.fulfill({ body, contentType: types[path.extname(name)] ?? '' });
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(sampleNow);
  await page.goto(`${origin}gallery.html`);
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await page.evaluate('document.fonts.ready');
  await forceStates(page);
  return page;
}

/** Puts every element with `data-force` into the named state. */
async function forceStates(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const { root } = await client.send('DOM.getDocument');
  for (const state of ['hover', 'focus-visible']) {
    const { nodeIds } = await client.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: `[data-force=${state}]`,
    });
    for (const nodeId of nodeIds) {
      await client.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: [state] });
    }
  }
}

/** Rules for whole pages, which this is not: the page's own tests check them. */
const ofPages = /^(?:landmark-|region|heading-order|page-has-heading|aria-dialog-name|skip-link)/;

/** Returns the violations; empty if there are none. */
export async function checkGallery(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate("document.dispatchEvent(new Event('gallery-settle'))");
  return (await checkAccessibility(page, rules)).filter((text) => !ofPages.test(text));
}
