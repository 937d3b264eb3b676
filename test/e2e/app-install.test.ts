// The page as an installable app: everything its manifest promises exists, and Chromium finds no obstacle to
// installing it.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { noFaults, readAddress } from '../support/page/app-page.ts';

const app = useApp({ MAYFLY_DOMAINS: 'mayfly.test' }, { hasServiceWorker: true });

interface Picture {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
}

interface Manifest {
  readonly icons: readonly Picture[];
  readonly screenshots: readonly (Picture & { readonly form_factor: string; readonly label: string })[];
  readonly shortcuts: readonly {
    readonly name: string;
    readonly url: string;
    readonly icons: readonly Picture[];
  }[];
}

it('can be installed, with the manifest’s pictures and shortcuts', async () => {
  const { page, context, faults } = await app.open();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  const session = await context.newCDPSession(page);
  const { errors, data = '' } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // A browser without a profile on disk cannot install anything, which is no fault of the page.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual(
    [],
  );
  const { icons, screenshots, shortcuts } = JSON.parse(data) as Manifest;
  expect(screenshots.map(({ form_factor: form }) => form)).toEqual(['wide', 'narrow']);
  for (const { src, sizes, type } of [...icons, ...screenshots, ...shortcuts.flatMap((one) => one.icons)]) {
    const answer = await page.request.get(new URL(src, app.service.url).href);
    expect([src, answer.status(), answer.headers()['content-type']]).toEqual([src, 200, type]);
    if (type !== 'image/png') continue;
    const bytes = await answer.body();
    expect([src, `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual([src, sizes]);
  }
  expect(faults).toEqual(noFaults);
});

it('makes a new address by its shortcut, and leaves no trace of it', async () => {
  const { page, email, faults } = await app.open();
  await page.goto('about:blank');
  await page.goto(`${app.service.url}#new-address`);
  await expect.poll(() => readAddress(page)).not.toBe(email);
  expect(page.url()).toBe(app.service.url);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});

it('has an address at once when a first visit is by the shortcut', async () => {
  const { page, faults } = await app.openPage({
    at: { ...app.service, url: `${app.service.url}#new-address` },
  });
  expect(await readAddress(page)).toContain('@');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(faults).toEqual(noFaults);
});
