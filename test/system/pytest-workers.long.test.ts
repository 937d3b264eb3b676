// Many workers, and as many as there are tests, each a process: takes some gigabytes of memory.

import { expect, it } from 'vitest';

import { runPytest } from '../support/clients/pytest-run.ts';

it.each([20, 200])(
  '200 tests on %d workers read only their own mail, and no response is 429',
  { timeout: 1_200_000 },
  async (workers) => {
    const { output: said, inboxes, answers } = await runPytest({ tests: 200, workers });
    expect(said).toMatch(/^200 passed in /m);
    expect(new Set(inboxes).size).toBe(400);
    expect(answers).not.toHaveProperty('429');
  },
);
