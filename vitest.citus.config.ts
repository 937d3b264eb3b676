// `npm run test:citus -- URL`: the store on a Citus cluster, whose coordinator the URL names (docs/postgres.md). One file at
// a time. Not part of `npm run test:all`: CI has no Citus.
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['mayfly-source', ...defaultServerConditions] } },
  test: {
    include: ['test/citus/*.test.ts'],
    globalSetup: ['scripts/build-for-tests.ts'],
    setupFiles: ['test/support/compare-bytes.ts'],
    provide: { faults: 'short' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    allowOnly: false,
  },
});
