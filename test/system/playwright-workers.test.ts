// Tests that share one `mayfly dev`: in a few workers of Playwright's runner, and the sessions of 50 workers at once.

import { expect, it } from 'vitest';

import { expectSeparate, runManyWorkers } from '../support/clients/playwright-workers.ts';

it('passes 12 tests in 4 workers, without a mix-up or a 429', { timeout: 300_000 }, async () => {
  const { status, stdout } = await runManyWorkers({ tests: 12, workers: 4 });
  expect(stdout).toMatch(/\b12 passed/);
  expect(status).toBe(0);
});

it('separates 50 inboxes and 50 mailboxes that wait at the same time', { timeout: 300_000 }, async () => {
  await expectSeparate(50);
});
