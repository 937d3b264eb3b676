// `npm run test:generators`: clients that generators of other people make from the OpenAPI document, generated,
// compiled and run. Needs Go, Java with Maven, and Python besides Node.js; installs the generators when they are missing.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/generators/*.test.ts'],
    globalSetup: ['scripts/build-for-tests.ts', 'scripts/install-generators.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 10 * 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
  },
});
