// Takes the pictures of `npm run screenshots`: every view of the page and of the extension, light and dark, on a desk and
// on a phone, each checked with axe-core. It fails for a view that cannot be shown. `SCREENSHOTS` is the folder;
// `VIEWS`, names of views with commas between them, takes those alone.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { useApp } from '../support/page/app-fixture.ts';
import { type ExtensionStage, startExtension } from './screenshots/extension-stage.ts';
import { type Shape, shapes } from './screenshots/look.ts';
import { takeOperator } from './screenshots/operator-view.ts';
import { views } from './screenshots/points.ts';
import type { Stage, View } from './screenshots/stage.ts';

const folder =
  process.env['SCREENSHOTS'] ?? fileURLToPath(new URL('../../build/screenshots', import.meta.url));
const wanted = process.env['VIEWS']?.split(',');
const isWanted = (name: string): boolean => wanted?.includes(name) ?? true;

const app = useApp({ MAYFLY_ADMIN_PORT: '0', MAYFLY_DNS_SERVERS: 'none' }, { isWhole: true });
let extension: Promise<ExtensionStage> | undefined;
beforeAll(async () => {
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await (await extension)?.close();
});

const widths = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';

/** Faults of a shop's page, of the structure of a page on paper or in a popup. */
function notOurs(name: string): RegExp {
  if (name === 'print' || name === 'extension-popup' || name === 'extension-options') {
    return /^(?:landmark-one-main|page-has-heading-one|region):/;
  }
  return name.startsWith('extension-') ? /./ : /^$/;
}

function isShownIn({ shapes: own, schemes }: View, { shape, colorScheme }: Stage['look']): boolean {
  return (own?.includes(shape) ?? true) && (schemes?.includes(colorScheme) ?? true);
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const shape of Object.keys(shapes) as Shape[]) {
    const look = { shape, colorScheme };
    const shown = views.filter((view) => isWanted(view.name) && isShownIn(view, look));
    describe(`on a ${shape}, ${colorScheme}`, () => {
      it.each(shown)('shows $name', async ({ name, show }) => {
        const page = await show({
          app,
          look,
          isPhone: shape === 'phone',
          extension: () => (extension ??= startExtension(app.service)),
        });
        await page.evaluate('document.fonts.ready.then(() => undefined)');
        // Before the picture: it waits until nothing moves.
        const violations = (await checkAccessibility(page)).filter((fault) => !notOurs(name).test(fault));
        await page.screenshot({ path: path.join(folder, `${shape}-${colorScheme}-${name}.png`) });
        expect(violations).toEqual([]);
        const [own, window] = await page.evaluate<number[]>(widths);
        expect(own, 'its width').toBe(window);
      });
    });
  }
}

it.each(['operator'].filter(isWanted))('shows the page of the %s', (name) =>
  takeOperator(app, path.join(folder, `desktop-light-${name}.png`)),
);
