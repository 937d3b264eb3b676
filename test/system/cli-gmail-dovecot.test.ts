// An account added, tested, changed and removed by commands while the built service uses a real IMAP server: each
// takes effect within seconds, and mail arrives in between.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { startDovecot } from '../support/gmail/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { imapPassword } from '../support/gmail/imap-password.ts';
import {
  createDataFolder,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { arrivedMail } from '../support/gmail/polled-account.ts';

const email = 'quiet.fox@gmail.com';

interface Operator {
  readonly mayfly: MayflyProcess;
  readonly imapPort: number;
  append(message: Buffer): Promise<unknown>;
  /** Returns the command's output and status. */
  run(...words: readonly string[]): Promise<{ status: number | null; text: string }>;
  /** Adds the account with this password. */
  add(password: string): Promise<void>;
  /** Waits for the account's line of `gmail list`. */
  untilListed(state: string): Promise<void>;
}

async function startAll(): Promise<Operator> {
  const dovecot = await startDovecot({ hasAllMail: true });
  onTestFinished(() => dovecot.close());
  const [data, files] = [await createDataFolder(), await createDataFolder()];
  onTestFinished(data.remove);
  onTestFinished(files.remove);
  const file = (name: string, content: string): string => {
    writeFileSync(join(files.path, name), content);
    return join(files.path, name);
  };
  const settings = { MAYFLY_SECRET_KEY_FILE: file('key', randomBytes(32).toString('hex')) };
  const mayfly = await startMayfly(data.path, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const client = await dovecot.connect(email);
  const run: Operator['run'] = async (...words) => {
    const { status, stdout, stderr } = await runMayfly(data.path, words, settings);
    return { status, text: stdout + stderr };
  };
  return {
    mayfly,
    imapPort: dovecot.port,
    run,
    append: (message) => client.append('All Mail', message),
    add: async (password) => {
      const server = ['--host', '127.0.0.1', '--port', String(dovecot.port), '--security', 'none'];
      const added = await run(
        'gmail',
        'add',
        email,
        '--password-file',
        file('password', `${password}\n`),
        ...server,
      );
      expect(added).toMatchObject({ status: 0 });
    },
    untilListed: async (state) => {
      await eventually(async () => {
        const { text } = await run('gmail', 'list');
        return text.includes(state) ? text : undefined;
      }, `the account is ${state}`);
    },
  };
}

async function accountsOf(mayfly: MayflyProcess): Promise<string[]> {
  const answer = (await (await mayfly.call('/domains')).json()) as { gmail_accounts: { email: string }[] };
  return answer.gmail_accounts.map((account) => account.email);
}

async function untilAccounts(mayfly: MayflyProcess, expected: readonly string[]): Promise<void> {
  await eventually(
    async () => ((await accountsOf(mayfly)).join() === expected.join() ? true : undefined),
    `the accounts are ${expected.join()}`,
  );
}

it('manages an account by commands from start to end, with mail in between', async () => {
  const operator = await startAll();
  const { mayfly, run } = operator;
  await operator.add(imapPassword);
  await untilAccounts(mayfly, [email]);
  expect(await run('gmail', 'test', email)).toMatchObject({ status: 0 });

  const lent = await mayfly.lend({ use_gmail: '1' });
  expect(lent.email.replaceAll('.', '')).toBe('quietfox@gmailcom');
  await operator.append(arrivedMail(lent.email, 'Your code'));
  const [listed] = await eventually(async () => {
    const messages = await mayfly.checkMail(lent.token);
    return messages.length > 0 ? messages : undefined;
  }, 'the message is listed');
  expect(listed).toMatchObject({ subject: 'Your code', in_spam: false, code: '123456' });

  await run('gmail', 'disable', email);
  await untilAccounts(mayfly, []);
  await expect(mayfly.lend({ use_gmail: '1' })).rejects.toThrow('no_gmail_account_available');
  expect(await mayfly.checkMail(lent.token)).toHaveLength(1);
  await operator.append(arrivedMail(lent.email, 'While it was disabled'));

  await operator.add(imapPassword);
  await untilAccounts(mayfly, [email]);
  await eventually(
    async () => ((await mayfly.checkMail(lent.token)).length === 2 ? true : undefined),
    'what came meanwhile is there',
  );
  expect(await run('gmail', 'remove', email)).toMatchObject({
    status: 1,
    text: expect.stringContaining('has 1 live session: end them with --end-sessions') as string,
  });
  expect(await accountsOf(mayfly)).toEqual([email]);
  expect(await mayfly.checkMail(lent.token)).toHaveLength(2);
  expect(await run('gmail', 'remove', email, '--end-sessions')).toMatchObject({
    status: 0,
    text: expect.stringContaining('1 of its sessions ended') as string,
  });
  await untilAccounts(mayfly, []);
  expect((await mayfly.call('/check-mail', lent.token)).status).toBe(410);
  expect(mayfly.log).not.toContain(imapPassword);
  expect(mayfly.log).not.toContain('quiet');
  expect(await mayfly.stop()).toBe(0);
});

it('reports a wrong password, waits, and continues with the right one, under any secret key', async () => {
  const operator = await startAll();
  const { mayfly, run } = operator;
  await operator.add('wrong-password');
  await operator.untilListed('login refused');
  const refused = await run('gmail', 'test', email);
  expect(refused.status).toBe(1);
  expect(refused.text).not.toContain('wrong-password');
  expect(await accountsOf(mayfly)).toEqual([]);
  await operator.add(imapPassword);
  await untilAccounts(mayfly, [email]);
  const keyFolder = await createDataFolder();
  onTestFinished(keyFolder.remove);
  const file = join(keyFolder.path, 'new-key');
  writeFileSync(file, randomBytes(32).toString('base64'));
  expect(await run('secret', 'rotate', '--new-key-file', file)).toMatchObject({ status: 0 });
  // Logs in again, with the password sealed under the new key.
  expect(await run('gmail', 'test', email)).toMatchObject({ status: 0 });
  await run('gmail', 'disable', email);
  await untilAccounts(mayfly, []);
  expect(await mayfly.stop()).toBe(0);
  expect(mayfly.log).not.toContain('wrong-password');
});
