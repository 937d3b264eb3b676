// Schemathesis sends everything the OpenAPI document allows, and much that it does not, to the built service: no 5xx,
// no undocumented response, nothing of a deleted message. Once with a token and mail in the session, once without.

import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { isFull, report, scaled } from '../support/faults/fault-scale.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { greet } from '../support/smtp/smtp-client.ts';

const schemathesis = path.resolve('node_modules/.test-python/bin/st');
const config = path.resolve('test/faults/schemathesis.toml');
const hooks = path.resolve('test/faults/schemathesis_hooks.py');
const mails = 20;

async function start(): Promise<MayflyProcess> {
  const folder = await useDataFolder();
  const settings = { MAYFLY_LIMITS_RATE: 'off', MAYFLY_WEBHOOKS_SESSIONS: 'on', MAYFLY_LOG_LEVEL: 'warn' };
  const mayfly = await startMayfly(folder, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function deliver(mayfly: MayflyProcess, email: string): Promise<void> {
  const client = await greet(mayfly.smtpPort);
  for (let count = 0; count < mails; count++) {
    const raw = `From: a@b.example\r\nSubject: code ${count}\r\n\r\nYour code is 123456.\r\n`;
    expect(await client.deliver(raw, email)).toMatch(/^250/);
  }
  client.socket.destroy();
}

const allPhases = 'examples,coverage,fuzzing,stateful';
/** A stranger's sequences of calls all end at the first 401, and coverage sends thousands of those. */
const strangersPhases = isFull ? allPhases : 'examples,fuzzing';

/** Returns the number of requests made; fails with schemathesis' findings. */
async function run(mayfly: MayflyProcess, folder: string, more: readonly string[]): Promise<number> {
  const asked = [
    ...['--config-file', config, 'run', `${mayfly.origin}/openapi.json`],
    ...['--generation-with-security-parameters', 'false'],
    ...['--max-examples', String(scaled(2, 150)), '--workers', String(scaled(1, 2)), '--continue-on-failure'],
    ...['--max-response-time', '20', '--request-timeout', '30', '--no-color', '--exclude-path', '/events'],
  ];
  const env = { PATH: process.env['PATH'], HOME: folder, SCHEMATHESIS_HOOKS: hooks };
  const found = await runProgram(schemathesis, [...asked, ...more], { env, cwd: folder });
  const failures = found.stdout.slice(Math.max(0, found.stdout.search(/^=+ (?:FAILURES|ERRORS) /m)));
  expect({ status: found.status, failures: found.status === 0 ? '' : failures + found.stderr }).toEqual({
    status: 0,
    failures: '',
  });
  expect(mayfly.isRunning).toBe(true);
  expect(mayfly.log).not.toMatch(/"level":"(?:error|fatal)"/);
  return Number(/([\d,]+) generated/.exec(found.stdout)?.[1]?.replaceAll(',', ''));
}

it('answers everything the document allows as documented', async () => {
  const mayfly = await start();
  const folder = await useDataFolder();
  const { email, token } = await mayfly.lend({ lifetime: '86400' });
  await deliver(mayfly, email);
  const withToken = [
    '--phases',
    allPhases,
    '-H',
    `Authorization: Bearer ${token}`,
    '--exclude-path',
    '/end-session',
  ];
  const owner = await run(mayfly, folder, withToken);
  const stranger = await run(mayfly, folder, ['--phases', strangersPhases]);
  expect(owner).toBeGreaterThan(scaled(100, 2000));
  expect(stranger).toBeGreaterThan(scaled(30, 2000));
  report('schemathesis', { 'requests with a token': owner, 'requests without': stranger });
}, 1_800_000);
