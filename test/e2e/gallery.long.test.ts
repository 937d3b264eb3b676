// Every rule of axe-core on every component, in each theme, direction and width; gallery.test.ts checks all of them in the
// light one alone.
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checkGallery, type Gallery, startGallery } from '../support/page/gallery-page.ts';

let gallery: Gallery;
beforeAll(async () => {
  gallery = await startGallery();
});
afterAll(async () => {
  await gallery.close();
});

const looks = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    (['ltr', 'rtl'] as const).map((dir) => ({ width, colorScheme, dir })),
  ),
);

it.each(looks)('has no fault at $width px, $colorScheme, $dir', async ({ width, colorScheme, dir }) => {
  const page = await gallery.open({ viewport: { width, height: 844 }, hasTouch: width < 640, colorScheme });
  await page.evaluate(`document.documentElement.dir = '${dir}'`);
  expect(await checkGallery(page)).toEqual([]);
});
