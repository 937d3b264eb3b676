// Compares every component in every state with its picture, and checks it with axe-core. After an intended change:
// `npm run gallery -- --renew`, and look at the pictures.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { colourRules } from '../support/page/app-accessibility.ts';
import { checkGallery, type Gallery, startGallery } from '../support/page/gallery-page.ts';
import { comparePicture, type Rectangle, roundColours, writePicture } from '../support/page/pictures.ts';

const folder = fileURLToPath(new URL('gallery', import.meta.url));
const failed = fileURLToPath(new URL('../../build/gallery', import.meta.url));
const isRenewed = process.env['GALLERY'] === 'renew';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await startGallery();
});
afterAll(async () => {
  await gallery.close();
});

const wide: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function findParts(page: Page): Promise<Rectangle[]> {
  return page.evaluate<Rectangle[]>(`[...document.querySelectorAll('[data-specimen]')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const name = element.dataset.specimen;
    return { name, x: Math.floor(x), y: Math.floor(y + scrollY), width: Math.floor(width), height: Math.floor(height) };
  })`);
}

async function expectAsBefore(page: Page, mode: string): Promise<void> {
  const taken = roundColours(await page.screenshot({ fullPage: true, animations: 'disabled' }));
  const file = path.join(folder, `${mode}.png`);
  if (isRenewed) {
    await writePicture(file, taken);
    return;
  }
  const differences = await comparePicture(file, taken, await findParts(page));
  if (differences.length > 0) await writePicture(path.join(failed, `${mode}.png`), taken);
  expect({ mode, differences }).toEqual({ mode, differences: [] });
}

async function expectAccessible(page: Page, mode: string, rules?: readonly string[]): Promise<void> {
  expect({ mode, violations: await checkGallery(page, rules) }).toEqual({ mode, violations: [] });
}

it('is unchanged on a wide screen: light, dark, right to left, with forced colours', async () => {
  const page = await gallery.open(wide);
  await expectAsBefore(page, 'light');
  await expectAccessible(page, 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAsBefore(page, 'dark');
  // It has the elements of the light one; gallery.long.test.ts checks all rules.
  await expectAccessible(page, 'dark', colourRules);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await expectAsBefore(page, 'forced-colors');
  await page.emulateMedia({ forcedColors: 'none' });
  await page.evaluate("document.documentElement.dir = 'rtl'");
  await expectAsBefore(page, 'right-to-left');
});

it('is unchanged on a phone', async () => {
  const page = await gallery.open(phone);
  await expectAsBefore(page, 'phone');
  await expectAccessible(page, 'phone');
});
