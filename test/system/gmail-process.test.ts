// The built service and its commands against a real Dovecot, following docs/gmail.md.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { beforeEach, expect, it, onTestFinished } from 'vitest';

import { useCitusSettings } from '../support/postgres/citus-cluster.ts';
import { type Dovecot, startDovecot } from '../support/gmail/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { imapPassword } from '../support/gmail/imap-password.ts';
import {
  createDataFolder,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { arrivedMail } from '../support/gmail/polled-account.ts';

const email = 'quietfox@gmail.com';

let dovecot: Dovecot;
let folder: string;
let settings: Readonly<Record<string, string>>;

beforeEach(async () => {
  dovecot = await startDovecot({ hasAllMail: true, maxConnections: 4 });
  const [data, secrets] = [await createDataFolder(), await createDataFolder()];
  folder = data.path;
  const keyFile = path.join(secrets.path, 'secret.key');
  writeFileSync(keyFile, `${randomBytes(32).toString('hex')}\n`);
  writeFileSync(path.join(secrets.path, 'right'), `${imapPassword}\n`);
  writeFileSync(path.join(secrets.path, 'wrong'), 'wrong-password\n');
  settings = {
    ...(await useCitusSettings()),
    MAYFLY_SECRET_KEY_FILE: keyFile,
    MAYFLY_LIMITS_RATE: 'off',
    SECRETS: secrets.path,
  };
  return async () => {
    await dovecot.close();
    await data.remove();
    await secrets.remove();
  };
});

async function start(): Promise<MayflyProcess> {
  const { SECRETS: _, ...given } = settings;
  const mayfly = await startMayfly(folder, given);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function mayflyCommand(...words: readonly string[]): Promise<{ status: number | null; text: string }> {
  const { SECRETS: _, ...given } = settings;
  const { status, stdout, stderr } = await runMayfly(folder, words, given);
  return { status, text: stdout + stderr };
}

function addAccount(password: 'right' | 'wrong'): Promise<{ status: number | null; text: string }> {
  const file = path.join(settings['SECRETS'] ?? '', password);
  const place = ['--host', '127.0.0.1', '--port', String(dovecot.port), '--security', 'none'];
  return mayflyCommand('gmail', 'add', email, '--password-file', file, ...place);
}

function untilListed(state: string): Promise<string> {
  return eventually(async () => {
    const { text } = await mayflyCommand('gmail', 'list');
    return text.includes(state) ? text : undefined;
  }, `the account is listed as ${state}`);
}

it('uses a new account while it runs, and its mail within a second', async () => {
  const mayfly = await start();
  expect(await addAccount('right')).toMatchObject({ status: 0 });
  const tested = await mayflyCommand('gmail', 'test', email);
  expect(tested.status).toBe(0);
  expect(tested.text).toContain('Looks for mail in "All Mail".');
  expect(tested.text).toContain('Looks for spam in "Spam".');
  expect(tested.text).toContain('The server offers IDLE yes, MOVE yes, X-GM-EXT-1 no.');
  expect(await untilListed('active')).toContain(email);

  const { email: alias, token } = await mayfly.lend({ use_gmail: '1' });
  expect(alias).toMatch(/^[quietfox.]+@gmail\.com$/);
  const client = await dovecot.connect(email);
  const took: number[] = [];
  for (let count = 1; count <= 5; count++) {
    await client.append('All Mail', arrivedMail(alias, `Code ${count}`));
    const begunAt = performance.now();
    await eventually(
      async () => ((await mayfly.checkMail(token)).length === count ? true : undefined),
      'it is there',
    );
    took.push(Math.round(performance.now() - begunAt));
  }
  process.stdout.write(`From the end of APPEND to check-mail: ${took.join(', ')} ms\n`);
  const [newest] = await mayfly.checkMail(token);
  expect(await mayfly.readMail(token, newest!.id)).toMatchObject({ subject: 'Code 5', parse: 'ok' });
  expect(mayfly.log).not.toMatch(/Code|quietfox|hunter2/i);
  // Nothing in the poller delays its exit.
  expect(await mayfly.stop()).toBe(0);
});

it('shows a refused login until the account is added again', async () => {
  await start();
  await addAccount('wrong');
  expect(await untilListed('login refused')).toContain(
    'The server refused the login: Authentication failed.',
  );
  expect(await mayflyCommand('gmail', 'test', email)).toMatchObject({ status: 1 });
  await addAccount('right');
  await untilListed('active');
  expect(await mayflyCommand('gmail', 'remove', email)).toMatchObject({ status: 0 });
  await untilListed('No Gmail accounts');
});
