// `npm run test:long`: runs the tests that take minutes. One file at a time, so that measured times are meaningful.
import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  ssr: { resolve: { conditions: ['mayfly-source', ...defaultServerConditions] } },
  test: {
    include: ['{src,packages,test}/**/*.long.test.ts'],
    globalSetup: ['scripts/build-for-tests.ts'],
    setupFiles: ['test/support/compare-bytes.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
  },
});
