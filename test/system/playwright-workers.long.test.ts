// Like playwright-workers.test.ts, with many more workers than processors.

import { expect, it } from 'vitest';

import { expectSeparate, runManyWorkers } from '../support/clients/playwright-workers.ts';

it('passes 200 tests in 40 workers, without a mix-up or a 429', { timeout: 600_000 }, async () => {
  const { status, stdout } = await runManyWorkers({ tests: 200, workers: 40 });
  expect(stdout).toMatch(/\b200 passed/);
  expect(status).toBe(0);
});

it('separates 200 inboxes and 200 mailboxes that wait at the same time', { timeout: 180_000 }, async () => {
  await expectSeparate(200);
});
