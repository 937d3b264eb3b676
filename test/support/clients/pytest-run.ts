// Tests of pytest on many workers with one `mayfly dev`, for the ordinary and the long run.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import { pytest, python, pythonPath } from './client-folders.ts';
import { startDev } from '../service/dev-process.ts';
import { runProgram } from '../servers/run-program.ts';

const tests = path.resolve('test/clients/test_own_mail.py');

export interface PytestRun {
  /** The end of its output. */
  readonly output: string;
  /** Addresses lent to tests, two each. */
  readonly inboxes: readonly string[];
  /** The service's responses by status. */
  readonly answers: Readonly<Record<string, number>>;
}

export async function runPytest({
  tests: count,
  workers,
}: {
  readonly tests: number;
  readonly workers: number;
}): Promise<PytestRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-pytest-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const mayfly = await startDev({ environment: { MAYFLY_ADMIN_PORT: '0' } });
  const report = path.join(folder, 'report.xml');
  const words = [...pytest, '-p', 'no:cacheprovider', '-n', String(workers), `--junitxml=${report}`, tests];
  const { stdout, stderr } = await runProgram(python, words, {
    cwd: folder,
    env: {
      ...process.env,
      ...pythonPath,
      MAYFLY_URL: mayfly.origin,
      SMTP_PORT: String(mayfly.smtpPort),
      TESTS: String(count),
    },
  });
  const xml = readFileSync(report, 'utf8');
  const inboxes = [...xml.matchAll(/name="inboxes" value="([^"]*)"/g)].flatMap(([, both = '']) =>
    both.split(' '),
  );
  const metrics = await (await fetch(`${mayfly.adminOrigin}/metrics`)).text();
  return {
    output: (stdout + stderr).slice(-9000),
    inboxes,
    answers: countAnswers(metrics),
  };
}

function countAnswers(metrics: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, status = '', count] of metrics.matchAll(
    /^mayfly_http_requests_total\{.*status="(\d+)".*\} (\d+)$/gm,
  )) {
    counts[status] = (counts[status] ?? 0) + Number(count);
  }
  return counts;
}
