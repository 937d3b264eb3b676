// All kinds of tests; CONTRIBUTING.md describes each and its cost. `npm test` runs the first two, `npm run test:all`
// all.
import { availableParallelism } from 'node:os';

import { defaultServerConditions } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { SlowestKindFirst } from './scripts/slowest-kind-first.ts';

const setupFiles = ['test/support/compare-bytes.ts'];
const processors = availableParallelism();
/** The turns in which the kinds run, each with as many workers as keep the processors busy. */
const turns = {
  /** Tests that mostly wait for the programs they start; each worker takes up to a gigabyte with those. */
  programs: { order: 0, workers: Math.min(3 * processors, 12) },
  /** Tests of code in their own process, which wait for timers and for the disk. */
  code: { order: 1, workers: 3 * processors },
  /** Tests of time, one file after the other. */
  quiet: { order: 2, workers: 1 },
};
/** A link to packages/networks, whose tests run there. */
const linked = 'clients/mcp/networks/**';
const timingTests = '{src,packages,test,web}/**/*.timing.test.ts';

interface Kind {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  readonly turn: keyof typeof turns;
  readonly testTimeout?: number;
  /** Whether their temporary files may be in memory. */
  readonly hasMemoryTemp?: boolean;
}

const kinds: readonly Kind[] = [
  {
    name: 'unit',
    include: ['{src,packages,clients,bench,scripts,web}/**/*.test.{ts,tsx}', 'test/*.test.ts'],
    turn: 'code',
    hasMemoryTemp: true,
  },
  {
    name: 'integration',
    include: ['test/integration/**/*.test.ts', 'test/contract/sqlite-*.test.ts'],
    turn: 'code',
    hasMemoryTemp: true,
  },
  {
    name: 'system',
    include: ['test/{system,deploy}/**/*.test.ts', 'test/contract/postgres-*.test.ts'],
    turn: 'programs',
  },
  {
    name: 'browser',
    include: ['test/e2e/**/*.test.ts'],
    turn: 'programs',
    testTimeout: 6 * 60_000,
  },
  {
    name: 'faults',
    include: ['test/faults/**/*.test.ts'],
    // Minutes of waiting for leases, and of load that shows little when it is short: in `npm run test:faults`.
    exclude: ['postgres-zombie', 'postgres-kills', 'soak'].map(
      (name) => `test/faults/${name}.faults.test.ts`,
    ),
    turn: 'programs',
  },
  {
    name: 'generators',
    include: ['test/generators/**/*.test.ts'],
    turn: 'programs',
    testTimeout: 10 * 60_000,
  },
  { name: 'timing', include: [timingTests], turn: 'quiet' },
];

/** CI retries failed tests; scripts/count-tests.mjs lists those that passed only so. */
const retries = Number(process.env['TEST_RETRIES'] ?? '0');

function project({ name, include, exclude = [], turn, testTimeout, hasMemoryTemp = false }: Kind) {
  const isQuiet = turn === 'quiet';
  return {
    extends: true,
    test: {
      name,
      include: [...include],
      exclude: [
        '**/*.long.test.ts',
        '**/node_modules/**',
        linked,
        ...exclude,
        ...(isQuiet ? [] : [timingTests]),
      ],
      testTimeout: testTimeout ?? 5 * 60_000,
      setupFiles: hasMemoryTemp ? [...setupFiles, 'test/support/memory-temp.ts'] : setupFiles,
      retry: retries,
      // The files of one worker share their modules, and what those hold.
      isolate: false,
      maxWorkers: turns[turn].workers,
      sequence: { groupOrder: turns[turn].order },
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
    hookTimeout: 6 * 60_000,
    // The default second is too short for a busy machine.
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
  },
});
