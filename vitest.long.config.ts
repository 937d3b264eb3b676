// `npm run test:long`: what takes minutes. One file at a time, so that measured times mean something.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,test}/**/*.long.test.ts'],
    globalSetup: ['scripts/build-for-tests.ts'],
    setupFiles: ['test/support/compare-bytes.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    allowOnly: false,
  },
});
