import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

async function count(report: unknown): Promise<{ status: number | null; lines: string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'count-tests-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'tests.json');
  await writeFile(file, JSON.stringify(report));
  const { status, stdout } = spawnSync(process.execPath, ['scripts/count-tests.mjs', file], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n') };
}

function reportOf(tests: readonly (readonly [name: string, status: string, ...failures: string[]])[]) {
  const assertionResults = tests.map(([fullName, status, ...failureMessages]) => ({
    fullName,
    status,
    failureMessages,
  }));
  const numPassedTests = tests.filter(([, status]) => status === 'passed').length;
  return {
    numTotalTests: tests.length,
    numPassedTests,
    success: numPassedTests === tests.length,
    testResults: [{ name: `${process.cwd()}/test/a.test.ts`, assertionResults }],
  };
}

it('names tests that passed at a later try, and ends with the count', async () => {
  const tests = [
    ['steady', 'passed'],
    ['shaky', 'passed', 'Error: too late\n    at a.test.ts:1:1'],
  ] as const;
  expect(await count(reportOf(tests))).toEqual({
    status: 0,
    lines: ['flaky, passed at a later try: test/a.test.ts > shaky: Error: too late', '2 passed, 0 failed'],
  });
});

it('counts what failed or did not run as failed, and names it, but not as flaky', async () => {
  const tests = [
    ['steady', 'passed'],
    ['broken', 'failed', 'Error: no', 'Error: no'],
    ['skipped', 'skipped'],
  ] as const;
  expect(await count(reportOf(tests))).toEqual({
    status: 1,
    lines: [
      'failed: test/a.test.ts > broken: Error: no',
      'skipped: test/a.test.ts > skipped: no message',
      '1 passed, 2 failed',
    ],
  });
});

it('takes a run without a test for a failure', async () => {
  expect(await count({ ...reportOf([]), success: true })).toEqual({
    status: 1,
    lines: ['0 passed, 1 failed'],
  });
});
