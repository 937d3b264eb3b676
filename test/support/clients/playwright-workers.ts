// Tests of Playwright's own runner, spread over workers that share one `mayfly dev`.

import { cp } from 'node:fs/promises';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import { startDev } from '../service/dev-process.ts';
import { installClients } from './installed-clients.ts';
import { type Finished, runProgram } from '../servers/run-program.ts';

interface Many {
  readonly tests: number;
  readonly workers: number;
}

/** Returns the runner's output: a test fails if it sees another's mail, or any response but 200. */
export async function runManyWorkers({ tests, workers }: Many): Promise<Finished> {
  const service = await startDev();
  const others = ['@playwright/test', 'playwright', 'playwright-core', 'nodemailer'];
  const folder = await installClients(['typescript', 'playwright'], others);
  onTestFinished(folder.remove);
  await cp('test/fixtures/playwright', folder.path, { recursive: true });
  const cli = path.join(folder.path, 'node_modules/@playwright/test/cli.js');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    SERVICE: service.origin,
    SMTP_PORT: String(service.smtpPort),
    SUITE: 'many-workers.ts',
    TESTS: String(tests),
    WORKERS: String(workers),
  };
  const words = [cli, 'test', '--config=suite-config.ts', '--reporter=dot'];
  return runProgram(process.execPath, words, { cwd: folder.path, env });
}
