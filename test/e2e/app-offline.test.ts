// The page without its service: what the browser caches of it, that no API response is cached, and how a newer page
// replaces an older one.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Page } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';

import { useBrowser } from '../support/page/app-fixture.ts';
import {
  noFaults,
  openAppPage,
  readAddress,
  useAppService,
  withServiceWorker,
} from '../support/page/app-page.ts';
import { copyBuild } from '../support/service/copy-build.ts';

const chromium = useBrowser();

const listKept = `(async () => {
  const kept = {};
  for (const name of await caches.keys()) {
    kept[name] = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  }
  return kept;
})()`;

async function readKept(page: Page): Promise<Record<string, string[]>> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  return page.evaluate<Record<string, string[]>>(listKept);
}

it('opens without the service, and continues when that is back', async () => {
  const service = await useAppService();
  const { page, faults, close } = await openAppPage(chromium.browser, service, withServiceWorker);
  onTestFinished(close);
  const email = await readAddress(page);
  await readKept(page);
  await service.kill();
  await page.reload();
  expect(await readAddress(page)).toBe(email);
  await page.getByText('Reconnecting…').waitFor();
  await service.start();
  await service.send(email, { subject: 'Back again' });
  await page.getByText('Back again').first().waitFor();
  expect(faults).toEqual(noFaults);
});

it('caches the files of the page under the base path and nothing else', async () => {
  const service = await useAppService({ MAYFLY_HTTP_BASE_PATH: '/mail' });
  const { page, faults, close } = await openAppPage(chromium.browser, service, withServiceWorker);
  onTestFinished(close);
  const email = await readAddress(page);
  await readKept(page);
  // Everything is requested again, now through the worker.
  await page.reload();
  await service.send(email, { subject: 'A message', text: 'Nothing to keep' });
  await page.getByText('A message').first().click();
  await page.getByText('Nothing to keep').first().waitFor();
  const kept = await readKept(page);
  expect(Object.keys(kept)).toEqual([expect.stringMatching(/^mayfly \/mail\/ [0-9a-f]{16}$/)]);
  const files = await readdir(path.join(inject('buildDir'), 'web', 'assets'));
  const shell = files.filter((file) => !/\.(?:br|gz)$/.test(file)).map((file) => `/mail/assets/${file}`);
  expect(Object.values(kept).flat().toSorted()).toEqual(['/mail/', '/mail/icon.svg', ...shell].toSorted());
  const scope = await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)');
  expect(scope).toBe(service.url);
  expect(faults).toEqual(noFaults);
});

it('is replaced by a newer build at the next visit, and removes the older one', async () => {
  const service = await useAppService();
  const { page, context, faults, close } = await openAppPage(chromium.browser, service, withServiceWorker);
  onTestFinished(close);
  const email = await readAddress(page);
  const [older] = Object.keys(await readKept(page));
  await service.kill();
  await service.start(await createNewerBuild());
  await page.reload();
  expect(await describe(page)).toBe('A newer page');
  expect(await readAddress(page)).toBe(email);
  // The newer worker waits until the last window of the older page closes.
  let newer = page;
  const reopen = async (): Promise<string[]> => {
    await newer.close();
    newer = await context.newPage();
    await newer.goto(service.url);
    return Object.keys(await readKept(newer));
  };
  // A browser looks for a newer worker a moment after a page has loaded, and restarts that wait with each page.
  await expect.poll(reopen, { timeout: 60_000, interval: 3000 }).toEqual(['mayfly / 00newer00']);
  expect(older).not.toBe('mayfly / 00newer00');
  await service.kill();
  await newer.reload();
  expect(await describe(newer)).toBe('A newer page');
  expect(faults).toEqual(noFaults);
});

async function describe(page: Page): Promise<string | null> {
  return page.locator('meta[name="description"]').getAttribute('content');
}

/** The same build with another front page, hence another hash. */
async function createNewerBuild(): Promise<string> {
  const { buildDir, remove } = await copyBuild(inject('buildDir'));
  onTestFinished(remove);
  const web = path.join(buildDir, 'web');
  await edit(path.join(web, 'index.html'), /(name="description" content=")[^"]*/, '$1A newer page');
  await edit(path.join(web, 'service-worker.js'), /\b[0-9a-f]{16}\b/, '00newer00');
  return buildDir;
}

async function edit(file: string, pattern: RegExp, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(pattern);
  await writeFile(file, text.replace(pattern, replacement));
  for (const ending of ['br', 'gz']) await rm(`${file}.${ending}`, { force: true });
}
