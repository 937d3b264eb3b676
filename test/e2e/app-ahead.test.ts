// Messages fetched before they are opened, and kept afterwards: which requests are made, that none marks anything
// read, and that nothing of a session stays in the browser once it has ended.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { type OpenedApp, useApp } from '../support/page/app-fixture.ts';
import { noFaults, readAddress, useAppService } from '../support/page/app-page.ts';

const app = useApp({}, { hasServiceWorker: true });

async function readToken(page: Page): Promise<string> {
  return String(await page.evaluate("JSON.parse(localStorage.getItem('mayfly.sessions')).current"));
}

/** Returns everything this browser stores, as text. */
const keptText = `(async () => {
  const kept = { local: { ...localStorage }, session: { ...sessionStorage }, cookies: document.cookie, databases: {}, caches: {} };
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    for (const store of database.objectStoreNames) {
      kept.databases[name + ' ' + store] = await new Promise((resolve) => {
        database.transaction(store).objectStore(store).getAll().onsuccess = ({ target }) => resolve(target.result);
      });
    }
    database.close();
  }
  for (const name of await caches.keys()) {
    kept.caches[name] = (await (await caches.open(name)).keys()).map(({ url }) => url);
  }
  return JSON.stringify(kept);
})()`;

async function readKept(page: Page): Promise<string> {
  return String(await page.evaluate(keptText));
}

interface Asked extends OpenedApp {
  /** The queries of read-mail. */
  readonly reads: string[];
  unread(): Promise<string[]>;
}

async function openAsking(): Promise<Asked> {
  const opened = await app.open();
  const { page } = opened;
  const token = await readToken(page);
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(?:read|peek)-mail$/.test(pathname)) reads.push(pathname + search);
  });
  const unread = async (): Promise<string[]> =>
    (await app.service.process().checkMail(token))
      .filter((mail) => !mail.is_read)
      .map(({ subject }) => subject);
  return { ...opened, reads, unread };
}

it('prefetches a message under the pointer, marks it only once it is opened, and fetches it once', async () => {
  const { page, faults, email, reads, unread } = await openAsking();
  for (const subject of ['One', 'Two', 'Three']) await app.service.send(email, { subject, text: subject });
  await expect.poll(() => page.locator('.row').count()).toBe(3);
  // Moves so that the pointer crosses no other row on its way to the last.
  await page.mouse.move(600, 5);
  const rows = await page.locator('.row').all();
  const boxes = await Promise.all(rows.map((row) => row.boundingBox()));
  const last = boxes.at(-1)!;
  await page.mouse.move(last.x + 100, last.y + 10, { steps: 2 });
  await expect.poll(() => reads).toEqual(['/peek-mail?id=1']);
  expect(await unread()).toEqual(['Three', 'Two', 'One']);
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole('heading', { name: 'One' }).waitFor();
  await expect.poll(unread).toEqual(['Three', 'Two']);
  expect(reads).toEqual(['/peek-mail?id=1']);
  // By keyboard too; a message is read again when reopened.
  // Away first: on the list that comes back the pointer would rest on the same row.
  await page.mouse.move(900, 400);
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  // The focus returns to its row first, which may fetch it again.
  await expect.poll(() => reads.at(-1)).toBe('/peek-mail?id=2');
  expect(await unread()).toEqual(['Three', 'Two']);
  expect(faults).toEqual(noFaults);
});

it('keeps opened messages for when the service is away, and fetches them again when it is back', async () => {
  const service = await useAppService();
  const { page, email } = await app.open({ at: service });
  await service.send(email, {
    subject: 'Kept letter',
    text: 'The heron stands still.',
    html: '<p>The heron stands <b>still</b>.</p>',
  });
  await service.send(email, { subject: 'Never opened', text: 'Unknown words.' });
  await page.getByRole('link', { name: /Kept letter/ }).click();
  await page.locator('iframe').contentFrame().getByText('The heron stands').waitFor();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await expect.poll(() => readKept(page)).toContain('The heron stands');
  expect(await readKept(page)).not.toContain('Unknown words');
  await service.kill();
  await page.goto(service.url);
  expect(await readAddress(page)).toBe(email);
  await page.getByRole('link', { name: /Kept letter/ }).click();
  await page.getByText('This is the text this browser kept').waitFor();
  await page.getByRole('tabpanel').getByText('The heron stands still.').waitFor();
  expect(await page.locator('iframe').count()).toBe(0);
  expect(await page.getByText('Never opened').count()).toBe(0);
  await service.start();
  await page.locator('iframe').contentFrame().getByText('The heron stands').waitFor();
  await page.getByRole('link', { name: /Never opened/ }).waitFor();
  // Once deleted, it is not kept either.
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => readKept(page)).not.toContain('heron');
});

it.each(['ended here', 'ended elsewhere', 'ended while the page was closed', 'forgotten'] as const)(
  'leaves nothing in the browser of a session that was %s',
  async (how) => {
    const { page, context, email } = await app.open();
    const token = await readToken(page);
    await app.service.send(email, { subject: 'Secret subject', text: 'Secret words.' });
    await page.getByRole('link', { name: /Secret subject/ }).click();
    await page.getByRole('tabpanel').getByText('Secret words.').waitFor();
    await expect.poll(() => readKept(page)).toContain('Secret words');
    expect((await readKept(page)).split(token)).toHaveLength(3);
    let shown = page;
    if (how === 'ended here') {
      await page.getByRole('button', { name: 'More about this address' }).click();
      await page.getByRole('button', { name: 'End address' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End address' }).click();
      await page.getByText('has ended').first().waitFor();
    } else if (how === 'forgotten') {
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      await page.getByRole('button', { name: 'Forget everything' }).click();
      await page.getByRole('alert').filter({ hasText: 'Forget everything?' }).waitFor();
      await page.getByRole('button', { name: 'Forget everything' }).click();
      await page.getByText('Everything is forgotten').waitFor();
    } else {
      if (how !== 'ended elsewhere') await page.goto('about:blank');
      await fetch(`${app.service.url}end-session`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      if (how !== 'ended elsewhere') {
        await page.close();
        shown = await context.newPage();
        await shown.goto(app.service.url);
      }
      await shown.getByText('This address has ended').waitFor();
    }
    for (const part of ['Secret', token, email, 'mayfly mail']) {
      await expect.poll(() => readKept(shown)).not.toContain(part);
    }
  },
);
