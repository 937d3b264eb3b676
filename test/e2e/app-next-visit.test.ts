// The end of a session while its page is closed.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { readAddress } from '../support/page/app-page.ts';

const app = useApp({}, { hasServiceWorker: true });

it('gives a new address at the next visit, and mentions the old one', async () => {
  const { page, context, email } = await app.open();
  await page.close();
  const later = await context.newPage();
  // Sets the clock of the next visit, without waiting.
  await later.clock.install({ time: Date.now() + 2 * 3_600_000 });
  await later.goto(app.service.url);
  await later.getByText(`${email} ended while you were away, so here’s a new one.`).waitFor();
  expect(await readAddress(later)).not.toBe(email);
});
