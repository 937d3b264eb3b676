// `npm run test:citus -- URL`: tests the store on a Citus cluster, with the coordinator's URL (docs/postgres.md). One
// file at a time. Not part of `npm run test:all`: CI has no Citus.
import { readFileSync } from 'node:fs';

import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** Tests of those files that are about one server's own ways. */
const ofOneServer = [
  'keeps neither URL nor secret readable in the store',
  'an impossible start',
  'an outage of the database',
  'is unchanged by a migration that fails',
  'is refused when a newer program wrote it',
  'a copy is refused in one line',
  // Its look-ups pass by the proxy.
  'is known without a look-up where it was created',
  // Its changes do not reach the shards' own functions.
  'a statement prepared for an earlier result is repeated',
];

const systemTests = [
  'copy',
  'gmail-process',
  'postgres-nodes',
  'postgres-schema-changes',
  'postgres-service',
  'webhooks',
].map((name) => `test/system/${name}.test.ts`);
const sources = systemTests.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('');
const gone = ofOneServer.find((title) => !sources.includes(title));
if (gone !== undefined) throw new Error(`vitest.citus.config.ts names a test that is gone: ${gone}`);

export default defineConfig({
  ssr: { resolve: { conditions: ['mayfly-source', ...defaultServerConditions] } },
  test: {
    include: [
      'test/citus/*.test.ts',
      // Those of one server, or of any store, run there too.
      ...systemTests,
      'test/faults/postgres-kills.faults.test.ts',
    ],
    globalSetup: ['scripts/build-for-tests.ts'],
    setupFiles: ['test/support/compare-bytes.ts'],
    provide: { faults: 'short' },
    testNamePattern: new RegExp(`^(?!.*(?:${ofOneServer.join('|')}))`),
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
  },
});
