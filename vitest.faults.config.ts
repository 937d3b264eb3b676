// `npm run test:faults`: the fault tests in full, one at a time, with the figures they print for docs/reliability.md.
// `npm test` runs the same files in their short form.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/faults/*.faults.test.ts'],
    globalSetup: ['scripts/build-for-tests.ts'],
    provide: { faults: 'full' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60 * 60_000,
    hookTimeout: 5 * 60_000,
    allowOnly: false,
  },
});
