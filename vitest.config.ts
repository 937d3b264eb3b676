// The ordinary test run: everything but the long tests, which vitest.long.config.ts runs.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,test,bench,scripts,web}/**/*.test.{ts,tsx}'],
    exclude: ['**/*.long.test.ts', '**/node_modules/**'],
    globalSetup: ['scripts/build-for-tests.ts'],
    provide: { faults: 'short' },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The default second is too short for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    allowOnly: false,
  },
});
