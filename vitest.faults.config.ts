// `npm run test:faults`: runs the full fault tests, one at a time, and prints the figures for docs/reliability.md.
// `npm run test:all` runs nearly all of these files in their short form.
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['mayfly-source', ...defaultServerConditions] } },
  test: {
    include: ['test/faults/*.faults.test.ts'],
    globalSetup: ['scripts/build-for-tests.ts'],
    setupFiles: ['test/support/compare-bytes.ts'],
    provide: { faults: 'full' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
  },
});
