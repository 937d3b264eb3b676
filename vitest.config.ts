// All kinds of tests; CONTRIBUTING.md describes each and its cost. `npm test` runs the first two, `npm run test:all`
// all.
import { availableParallelism } from 'node:os';

import { defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { SlowestKindFirst } from './scripts/slowest-kind-first.ts';

const setupFiles = ['test/support/compare-bytes.ts'];
/** More than there are processors: most tests spend half their time waiting for other programs or timers. */
const workers = 3 * availableParallelism();
const timingTests = '{src,packages,test,web}/**/*.timing.test.ts';

interface Kind {
  readonly name: string;
  readonly include: readonly string[];
  readonly testTimeout?: number;
  /** Whether their temporary files may be in memory. */
  readonly hasMemoryTemp?: boolean;
  /** Whether TEST_RETRIES applies: they depend on more than this process. */
  readonly isRetried?: boolean;
  /** Whether the files run by one worker share their modules, and what those hold. */
  readonly isShared?: boolean;
  /** Whether they run after all others, one at a time. */
  readonly needsQuiet?: boolean;
}

const kinds: readonly Kind[] = [
  {
    name: 'unit',
    include: ['{src,packages,clients,bench,scripts,web}/**/*.test.{ts,tsx}', 'test/*.test.ts'],
    hasMemoryTemp: true,
    isShared: true,
  },
  {
    name: 'integration',
    include: ['test/integration/**/*.test.ts', 'test/contract/sqlite-*.test.ts'],
    hasMemoryTemp: true,
    isShared: true,
  },
  {
    name: 'system',
    include: ['test/{system,deploy}/**/*.test.ts', 'test/contract/postgres-*.test.ts'],
    isRetried: true,
    isShared: true,
  },
  {
    name: 'browser',
    include: ['test/e2e/**/*.test.ts'],
    testTimeout: 4 * 60_000,
    isRetried: true,
    isShared: true,
  },
  { name: 'faults', include: ['test/faults/**/*.test.ts'], isRetried: true, isShared: true },
  {
    name: 'generators',
    include: ['test/generators/**/*.test.ts'],
    testTimeout: 10 * 60_000,
    isRetried: true,
  },
  { name: 'timing', include: [timingTests], isRetried: true, needsQuiet: true },
];

/** CI retries failed tests, and scripts/count-tests.mjs lists them. */
const retries = Number(process.env['TEST_RETRIES'] ?? '0');

function project(kind: Kind) {
  const { name, include, testTimeout = 2 * 60_000 } = kind;
  const { hasMemoryTemp = false, isRetried = false, isShared = false, needsQuiet = false } = kind;
  const exclude = ['**/*.long.test.ts', '**/node_modules/**', ...(needsQuiet ? [] : [timingTests])];
  return {
    extends: true,
    test: {
      name,
      include: [...include],
      exclude,
      testTimeout,
      setupFiles: hasMemoryTemp ? [...setupFiles, 'test/support/memory-temp.ts'] : setupFiles,
      retry: isRetried ? retries : 0,
      isolate: !isShared,
      maxWorkers: needsQuiet ? 1 : workers,
      sequence: { groupOrder: needsQuiet ? 1 : 0 },
    },
  } satisfies TestProjectInlineConfiguration;
}

export default defineConfig({
  // Uses the sources of this repository's packages.
  ssr: { resolve: { conditions: ['mayfly-source', ...defaultServerConditions] } },
  test: {
    projects: kinds.map(project),
    globalSetup: ['scripts/build-for-tests.ts'],
    sequence: { sequencer: SlowestKindFirst },
    provide: { faults: 'short' },
    pool: 'forks',
    hookTimeout: 4 * 60_000,
    // The default second is too short for a busy machine.
    expect: { poll: { timeout: 15_000 } },
    allowOnly: false,
  },
});
