// As many workers as there are tests, each a process: takes some gigabytes of memory.

import { expect, it } from 'vitest';

import { runPytest } from '../support/clients/pytest-run.ts';

it(
  '200 tests on 200 workers read only their own mail, and no response is 429',
  { timeout: 1_200_000 },
  async () => {
    const { output: said, inboxes, answers } = await runPytest(200);
    expect(said).toMatch(/^200 passed in /m);
    expect(new Set(inboxes).size).toBe(400);
    expect(answers).not.toHaveProperty('429');
  },
);
