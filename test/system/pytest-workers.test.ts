// pytest on several workers with one `mayfly dev`: none sees another's mail, and none hits a rate limit. The long run has
// many more.

import { expect, it } from 'vitest';

import { runPytest } from '../support/clients/pytest-run.ts';

it(
  '20 tests on 4 workers read only their own mail, and no response is 429',
  { timeout: 400_000 },
  async () => {
    const { output: said, inboxes, answers } = await runPytest({ tests: 20, workers: 4 });
    expect(said).toMatch(/^20 passed in /m);
    expect(new Set(inboxes).size).toBe(40);
    expect(answers['200']).toBeGreaterThanOrEqual(160);
    expect(answers).not.toHaveProperty('429');
  },
);
