// pytest on several workers with one `mayfly dev`: none sees another's mail, and none hits a rate limit. The long run has
// many more.

import { expect, it } from 'vitest';

import { runPytest } from '../support/clients/pytest-run.ts';

it(
  '40 tests on 5 workers read only their own mail, and no response is 429',
  { timeout: 400_000 },
  async () => {
    const { output: said, inboxes, answers } = await runPytest({ tests: 40, workers: 5 });
    expect(said).toMatch(/^40 passed in /m);
    expect(new Set(inboxes).size).toBe(80);
    expect(answers['200']).toBeGreaterThanOrEqual(320);
    expect(answers).not.toHaveProperty('429');
  },
);
