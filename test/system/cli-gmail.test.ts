// Gmail accounts and the secret key through the command line, in real processes: on a running service and a stopped
// one.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import {
  createDataFolder,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { freePort } from '../support/servers/free-port.ts';

const password = 'hunter2-hunter2';

interface Place {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  file(name: string, content: string): string;
}

async function createPlace(): Promise<Place> {
  const data = await createDataFolder();
  const other = await createDataFolder();
  onTestFinished(data.remove);
  onTestFinished(other.remove);
  const file = (name: string, content: string): string => {
    const path = join(other.path, name);
    writeFileSync(path, content);
    return path;
  };
  return { folder: data.path, settings: { MAYFLY_SECRET_KEY_FILE: file('key', newKey()) }, file };
}

function newKey(): string {
  return `${randomBytes(32).toString('hex')}\n`;
}

let place: Place;
let closedPort: number;

beforeEach(async () => {
  place = await createPlace();
  closedPort = await freePort();
});

async function start(settings = place.settings): Promise<MayflyProcess> {
  const mayfly = await startMayfly(place.folder, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function lines(words: readonly string[], settings = place.settings): Promise<string[]> {
  const { status, stdout, stderr } = await runMayfly(place.folder, words, settings);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

/** Returns the status and the single line of a failing command. */
async function refusal(
  words: readonly string[],
  settings = place.settings,
): Promise<[number | null, string]> {
  const { status, stdout, stderr } = await runMayfly(place.folder, words, settings);
  expect(stdout).toBe('');
  return [status, stderr];
}

/** Adds an account at an unused port. */
function addWords(email = 'quiet.fox@mail.test'): string[] {
  const file = place.file('password', `${password}\n`);
  const server = ['--host', '127.0.0.1', '--port', String(closedPort), '--security', 'none'];
  return ['gmail', 'add', email, '--password-file', file, ...server];
}

function expectNoPassword(mayfly: MayflyProcess): void {
  expect(mayfly.log).not.toContain('hunter2');
  const files = readdirSync(place.folder).filter((name) => name !== 'mayfly.sock');
  for (const name of files) {
    if (!name.includes('.')) continue;
    // In another process: closing a file that SQLite has open here would drop its locks.
    const bytes = execFileSync('cat', [join(place.folder, name)], { maxBuffer: 2 ** 28 });
    expect(bytes.includes('hunter2')).toBe(false);
  }
}

describe('gmail commands', () => {
  it('on a running service take effect at once, and leave no password anywhere', async () => {
    const mayfly = await start();
    expect(await lines(addWords())).toEqual([
      'Gmail account quiet.fox@mail.test is set up with id 1; it gives out aliases once the service has logged in.',
    ]);
    const [head, row] = await lines(['gmail', 'list']);
    expect(head).toMatch(/^ID +EMAIL +STATE +SINCE +SESSIONS +FREE DOTS +BYTES TODAY +UNMATCHED +DETAIL$/);
    expect(row).toMatch(/^1 +quiet\.fox@mail\.test +(?:not connected yet|no connection, tries again) /);
    const { gmail_accounts: accounts } = (await (await mayfly.call('/domains')).json()) as {
      gmail_accounts: unknown[];
    };
    expect(accounts).toEqual([]);
    await expect(mayfly.lend({ use_gmail: '1' })).rejects.toThrow('no_gmail_account_available');
    await lines(['gmail', 'disable', 'quiet.fox@mail.test']);
    expect((await lines(['gmail', 'list']))[1]).toContain('disabled');
    expectNoPassword(mayfly);
    expect(await lines(['gmail', 'remove', 'Quiet.Fox@mail.test'])).toEqual([
      'Gmail account quiet.fox@mail.test is removed; 0 of its sessions ended.',
    ]);
    expect(await lines(['gmail', 'list'])).toEqual([
      'No Gmail accounts. Add one: mayfly gmail add you@gmail.com --password-file FILE',
    ]);
    expect(await mayfly.stop()).toBe(0);
  });

  it('on a stopped service open the store themselves, and the service sees the changes', async () => {
    await lines(addWords());
    expect((await lines(['gmail', 'list']))[1]).toContain('not connected yet');
    const mayfly = await start();
    expect((await lines(['gmail', 'list']))[1]).toContain('quiet.fox@mail.test');
    await mayfly.stop();
    await lines(['gmail', 'remove', 'quiet.fox@mail.test']);
    expect(await lines(['gmail', 'list'])).toHaveLength(1);
  });

  it('test an account without a server: status 1 and the reason', async () => {
    await lines(addWords());
    const [stopped, said] = await refusal(['gmail', 'test', 'quiet.fox@mail.test']);
    expect(stopped).toBe(1);
    expect(said).toMatch(/^mayfly: ./);
    await start();
    const [running] = await refusal(['gmail', 'test', 'quiet.fox@mail.test']);
    expect(running).toBe(1);
  });

  it.each([
    [['gmail', 'test', 'nobody@gmail.com'], 1],
    [['gmail', 'add', 'a+b@gmail.com', '--password-file', 'FILE'], 1],
    [['gmail', 'add', 'a@mail.test', '--password-file', 'FILE'], 1],
    [['gmail', 'add', 'a@gmail.com', '--password-file', '/nowhere/at/all'], 1],
    [['gmail', 'add', 'a@gmail.com', '--oauth2-file', 'FILE'], 1],
    [['gmail', 'add', 'a@gmail.com'], 64],
    [['gmail', 'list', '--host', 'x'], 64],
  ])('%j end with one line and a status', async (words, expected) => {
    const file = place.file('password', password);
    const [status, line] = await refusal(words.map((word) => (word === 'FILE' ? file : word)));
    expect(status).toBe(expected);
    expect(line).toMatch(/^mayfly: [^\n]+\n$/);
    expect(line).not.toContain('hunter2');
  });
});

describe('the secret key', () => {
  it('is not needed without accounts, but for the first one', async () => {
    await (await start({})).stop();
    const [status, line] = await refusal(addWords(), {});
    expect(status).toBe(1);
    expect(line).toContain('set MAYFLY_SECRET_KEY_FILE');
  });

  it('that is missing, wrong or malformed stops the start with status 78 and one line', async () => {
    await lines(addWords());
    const startLine = async (settings: Record<string, string>): Promise<string> => {
      const [status, line] = await refusal(['serve'], settings);
      expect(status).toBe(78);
      expect(line).toMatch(/^mayfly: [^\n]+\n$/);
      expect(line).not.toContain('hunter2');
      return line;
    };
    expect(await startLine({})).toContain('must be set: there are Gmail accounts');
    expect(await startLine({ MAYFLY_SECRET_KEY: 'ab'.repeat(32) })).toContain(
      'MAYFLY_SECRET_KEY is not the key under which the credentials of quiet.fox@mail.test are sealed',
    );
    expect(await startLine({ MAYFLY_SECRET_KEY_FILE: place.file('other', newKey()) })).toContain(
      'MAYFLY_SECRET_KEY_FILE is not the key',
    );
    expect(await startLine({ MAYFLY_SECRET_KEY: 'hunter2' })).toContain(
      'MAYFLY_SECRET_KEY must be 64 hex digits',
    );
    expect(await startLine({ MAYFLY_SECRET_KEY_FILE: place.file('bad', 'hunter2') })).toContain(
      '64 hex digits',
    );
    expect(await startLine({ MAYFLY_SECRET_KEY_FILE: '/nowhere' })).toContain('cannot be read');
    // None of this changed anything.
    await start();
  });

  it('in the variable, in base64, is as valid as in the file', async () => {
    await lines(addWords());
    const hex = readFileSync(place.settings['MAYFLY_SECRET_KEY_FILE'] ?? '', 'utf8').trim();
    await start({ MAYFLY_SECRET_KEY: Buffer.from(hex, 'hex').toString('base64') });
  });

  it('is changed while the service runs, which continues; the next start needs the new one', async () => {
    const mayfly = await start();
    await lines(addWords('a@mail.test'));
    const file = place.file('new', newKey());
    const [first] = await lines(['secret', 'rotate', '--new-key-file', file]);
    expect(first).toBe('The credentials of 1 account are sealed with the new key.');
    await lines(addWords('b@mail.test'));
    expect(await mayfly.stop()).toBe(0);
    expect((await refusal(['serve']))[0]).toBe(78);
    const after = { MAYFLY_SECRET_KEY_FILE: file };
    expect(await lines(['gmail', 'list'], after)).toHaveLength(3);
    await start(after);
  });

  it('is changed on a stopped service, but not without the old one, and not to an invalid one', async () => {
    await lines(addWords());
    const file = place.file('new', newKey());
    expect(await refusal(['secret', 'rotate', '--new-key-file', file], {})).toEqual([
      1,
      'mayfly: The credentials of Gmail account 1 cannot be opened with the secret key.\n',
    ]);
    const [status, line] = await refusal([
      'secret',
      'rotate',
      '--new-key-file',
      place.file('bad', 'hunter2'),
    ]);
    expect(status).toBe(1);
    expect(line).toContain('64 hex digits');
    expect(line).not.toContain('hunter2');
    await lines(['secret', 'rotate', '--new-key-file', file]);
    expect((await refusal(['serve']))[0]).toBe(78);
    await start({ MAYFLY_SECRET_KEY_FILE: file });
  });
});
