// `mayfly copy` as an operator runs it: a complete installation moves from SQLite to PostgreSQL, even when the copy is
// killed halfway, and existing data is never overwritten.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import Database from 'better-sqlite3';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';

import { lastingStatus } from '../../src/app/start-error.ts';
import { openStream, type StreamedEvent } from '../support/clients/event-source.ts';
import { freePort } from '../support/servers/free-port.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll, unlimited } from '../support/faults/ledger.ts';
import {
  environment,
  type Lent,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { createRandom, fuzzSeed } from '../support/random.ts';
import { sha256 } from '../support/mail/sent-mails.ts';
import { greet } from '../support/smtp/smtp-client.ts';

const postgres = usePostgresFixture();
const seed = fuzzSeed();
/** A single message of many chunks. */
const largeBytes = 5_000_000;

async function start(dataDir: string, settings: Readonly<Record<string, string>>): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function createSettings(): Promise<Record<string, string>> {
  const secretFile = path.join(await useDataFolder(), 'secret');
  await writeFile(secretFile, `${'5a'.repeat(32)}\n`);
  return {
    ...unlimited,
    // One that later ones do not retire, as they would the demo domain.
    MAYFLY_DOMAINS: 'one.test',
    MAYFLY_SECRET_KEY_FILE: secretFile,
    MAYFLY_SMTP_MESSAGE_MAX_BYTES: '8000000',
    MAYFLY_WEBHOOKS_SESSIONS: 'on',
    MAYFLY_WEBHOOKS_PORTS: '1',
    MAYFLY_WEBHOOKS_ALLOWED_HOSTS: '127.0.0.1',
  };
}

async function run(dataDir: string, settings: Record<string, string>, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await runMayfly(dataDir, words, settings);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

async function refusal(dataDir: string, ...words: readonly string[]): Promise<string> {
  const { status, stderr } = await runMayfly(dataDir, words);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^mayfly: [^\n]*\n$/);
  return stderr;
}

async function send(
  mayfly: MayflyProcess,
  to: string,
  { subject, bytes = 100 }: { readonly subject: string; readonly bytes?: number },
): Promise<void> {
  const client = await greet(mayfly.smtpPort);
  const body = 'All of these lines are of one length.\r\n'.repeat(Math.ceil(bytes / 39));
  expect(await client.deliver(`Subject: ${subject}\r\n\r\n${body}`, to)).toMatch(/^250 /);
  client.socket.destroy();
}

async function post(mayfly: MayflyProcess, operation: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(mayfly.origin + operation, { method: 'POST', headers });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
}

/** Returns everything the owner of a session sees. */
async function look(mayfly: MayflyProcess, { token }: Lent) {
  const port = Number(new URL(mayfly.origin).port);
  const stream = await openStream({ port }, { token, query: 'after=0' });
  await stream.until(() => stream.events.some(({ data }) => data['subject'] === 'last'));
  stream.close();
  // The webhook is retried meanwhile.
  const { webhook, ...session } = (await (await mayfly.call('/session', token)).json()) as Record<
    string,
    unknown
  >;
  const list = await mayfly.checkMail(token);
  const raws = await Promise.all(list.map(async ({ id }) => sha256(await mayfly.rawMail(token, id))));
  const steady = { ...session, expires_in: 0, hasWebhook: webhook !== undefined };
  return { session: steady, list, raws, events: withoutAges(stream.events) };
}

function withoutAges(events: readonly StreamedEvent[]) {
  return events.map(({ id, event, data }) => ({ id, event, data: { ...data, expires_in: 0 } }));
}

const lists = ['domain list', 'key list', 'block list', 'gmail list', 'session find'];

/** Returns the output of operator commands. */
async function describeOperator(dataDir: string, settings: Record<string, string>): Promise<string[]> {
  return Promise.all(lists.map((words) => run(dataDir, settings, ...words.split(' '))));
}

async function setUp(dataDir: string, settings: Record<string, string>): Promise<void> {
  await run(dataDir, settings, 'domain', 'add', 'gone.test');
  await run(dataDir, settings, 'domain', 'remove', 'gone.test');
  await run(dataDir, settings, 'domain', 'add', 'other.test', '--quarantine', '60');
  await run(dataDir, settings, 'key', 'add', 'billing', '--rate', '7');
  await run(dataDir, settings, 'block', 'add', 'sender', 'spam@example.org', '--note', 'loud');
  const password = path.join(await useDataFolder(), 'password');
  await writeFile(password, 'hunter2-hunter2\n');
  const place = ['--host', '127.0.0.1', '--port', String(await freePort()), '--security', 'none'];
  const words = ['gmail', 'add', 'quiet.fox@mail.test', '--password-file', password, ...place];
  await runMayfly(dataDir, words, settings);
  await run(dataDir, settings, 'gmail', 'disable', 'quiet.fox@mail.test');
}

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** A dozen processes in turn, on a machine that may be busy. */
const patience = { timeout: 480_000 };

describe('a copied installation', patience, () => {
  it('continues with the same tokens, ids and positions, and the operator’s data', async () => {
    const [dataDir, settings, url] = [
      await useDataFolder(),
      await createSettings(),
      await postgres.createUrl(),
    ];
    const mayfly = await start(dataDir, settings);
    await setUp(dataDir, settings);
    const [one, two, hooked, ended] = [
      await mayfly.lend({ prefix: 'first' }),
      await mayfly.lend(),
      await mayfly.lend({ webhook_url: 'http://127.0.0.1:1/hook' }),
      // The domain of the two that has a quarantine.
      await mayfly.lend({ prefix: 'over', domain_id: '3' }),
    ];
    for (const subject of ['a', 'b', 'c']) await send(mayfly, one.email, { subject });
    await mayfly.readMail(one.token, 2);
    await post(mayfly, '/delete-mail?id=1', one.token);
    await post(mayfly, '/extend-session?lifetime=7200', one.token);
    await send(mayfly, two.email, { subject: 'large', bytes: largeBytes });
    await send(mayfly, ended.email, { subject: 'over' });
    await post(mayfly, '/end-session', ended.token);
    await send(mayfly, `postmaster@${one.email.split('@')[1] ?? ''}`, { subject: 'abuse', bytes: 600_000 });
    for (const { email } of [one, two, hooked]) await send(mayfly, email, { subject: 'last' });
    const before = await Promise.all([one, two, hooked].map((lent) => look(mayfly, lent)));
    const operatorBefore = await describeOperator(dataDir, settings);
    expect(await refusal(dataDir, 'copy', '--from', `sqlite:${dataDir}`, '--to', url)).toContain(
      'stop it first',
    );
    expect(await mayfly.stop()).toBe(0);

    const output = await run(dataDir, {}, 'copy', '--from', `sqlite:${dataDir}`, '--to', url);
    expect(output).toMatch(/: 4 sessions, 6 messages, 2 domains, 1 API keys, 1 blocks, /);
    expect(output).toContain('1 Gmail accounts, 1 webhooks with');

    const onPostgres = { ...settings, MAYFLY_STORE_URL: url };
    const moved = await start(dataDir, onPostgres);
    expect(await Promise.all([one, two, hooked].map((lent) => look(moved, lent)))).toEqual(before);
    expect(before[1]?.list.map(({ size }) => size > largeBytes)).toEqual([false, true]);
    expect(await describeOperator(dataDir, onPostgres)).toEqual(operatorBefore);
    expect((await moved.call('/session', ended.token)).status).toBe(410);
    // Others can get them on both domains, except where lent: there they are in quarantine, or held.
    for (const { email } of [ended, one]) {
      const [prefix = ''] = email.split('@');
      expect((await moved.lend({ prefix })).email).not.toBe(email);
      await expect(moved.lend({ prefix })).rejects.toThrow('create-session');
    }
    // Ids continue where they were: messages, the read mark, the deletion and the extension each have one.
    expect(before[0]?.list[0]).toMatchObject({ id: 7, subject: 'last' });
    await send(moved, one.email, { subject: 'new' });
    expect((await moved.checkMail(one.token))[0]).toMatchObject({ id: 8, subject: 'new' });
    await run(dataDir, onPostgres, 'domain', 'add', 'next.test');
    const ids = await query<{ id: number }>(url, 'SELECT id::int FROM mayfly.domains ORDER BY id');
    expect(ids.map(({ id }) => id)).toEqual([1, 3, 4]);
    const mailbox = await query<{ bytes: string; sum: string; messages: string }>(
      url,
      `SELECT m.messages, m.bytes, (SELECT sum(octet_length(data)) FROM mayfly.operator_chunks) AS sum
       FROM mayfly.operator_mailbox m`,
    );
    expect(mailbox[0]?.messages).toBe('1');
    expect(mailbox[0]?.bytes).toBe(mailbox[0]?.sum);
    expect(Number(mailbox[0]?.sum)).toBeGreaterThan(600_000);
  });

  it(`is whole after kill -9 at any moment and another run, and no node serves it before (FUZZ_SEED=${seed})`, async () => {
    const [dataDir, url] = [await useDataFolder(), await postgres.createUrl()];
    const random = createRandom(seed);
    const mayfly = await start(dataDir, unlimited);
    const ledgers = await openLedgers(mayfly, 5);
    const isOver = (): boolean => countAcknowledged(ledgers) > 300;
    await sendAll(mayfly, ledgers, { random, isOver });
    expect(await mayfly.stop()).toBe(0);

    const copy = ['copy', '--from', `sqlite:${dataDir}`, '--to', url];
    let copied = 0;
    for (let round = 1; round <= 2; round++) {
      copied = await killCopy(dataDir, { copy, url, atLeast: copied + random.below(60) });
    }
    expect(copied).toBeGreaterThan(0);
    const refused = await runMayfly(await useDataFolder(), ['serve'], { MAYFLY_STORE_URL: url });
    expect(refused).toMatchObject({ status: lastingStatus, stdout: '' });
    expect(refused.stderr).toMatch(
      /^mayfly: The store cannot be opened: A copy [^\n]* not finished[^\n]*\n$/,
    );

    const output = await run(dataDir, {}, ...copy);
    expect(output).toContain('Resuming where an earlier copy was interrupted.');
    expect(output).toContain(`: 5 sessions, ${countAcknowledged(ledgers)} messages, `);
    expect(await run(dataDir, {}, ...copy)).toContain('there is nothing left to do');
    const moved = await start(dataDir, { ...unlimited, MAYFLY_STORE_URL: url });
    for (const ledger of ledgers) await expectWhole(moved, ledger);
    const stray = `SELECT count(*)::int AS count FROM mayfly.chunks c WHERE NOT EXISTS (
      SELECT 1 FROM mayfly.messages m WHERE m.session_key = c.session_key AND m.ingest_id = c.ingest_id)`;
    expect(await query(url, stray)).toEqual([{ count: 0 }]);
  });
});

interface Killing {
  readonly copy: readonly string[];
  readonly url: string;
  /** Messages copied before it is killed. */
  readonly atLeast: number;
}

/** Kills the copy after this many messages, and returns how many were copied. */
async function killCopy(dataDir: string, { copy, url, atLeast }: Killing): Promise<number> {
  const main = path.join(inject('buildDir'), 'main.js');
  const child = spawn(process.execPath, [main, ...copy], { env: environment(dataDir, {}), stdio: 'ignore' });
  const exited = once(child, 'exit');
  const watcher = new pg.Client({ connectionString: url });
  await watcher.connect();
  const count = async (): Promise<number> => {
    const schema = await watcher.query<{ is_there: boolean }>(
      "SELECT to_regclass('mayfly.copy_steps') IS NOT NULL AS is_there",
    );
    if (schema.rows[0]?.is_there !== true) return 0;
    const text = "SELECT rows::int FROM mayfly.copy_steps WHERE step = 'messages'";
    return (await watcher.query<{ rows: number }>(text)).rows[0]?.rows ?? 0;
  };
  try {
    while ((await count()) <= atLeast && child.exitCode === null) await delay(2);
    child.kill('SIGKILL');
    await exited;
    return await count();
  } finally {
    await watcher.end();
  }
}

describe('a copy is refused in one line', patience, () => {
  const stoppedStore = async (): Promise<string> => {
    const dataDir = await useDataFolder();
    const mayfly = await start(dataDir, unlimited);
    await send(mayfly, (await mayfly.lend()).email, { subject: 'one' });
    await mayfly.stop();
    return dataDir;
  };

  it('into a database that is in use, foreign, newer or unreachable', async () => {
    const dataDir = await stoppedStore();
    const copy = (url: string): Promise<string> =>
      refusal(dataDir, 'copy', '--from', `sqlite:${dataDir}`, '--to', url);
    const used = await postgres.createUrl();
    const node = await start(await useDataFolder(), { MAYFLY_STORE_URL: used });
    expect(await copy(used)).toContain('is in use already');
    await node.stop();
    expect(await copy(used)).toContain('is in use already');
    const foreign = await postgres.createUrl();
    await query(foreign, 'CREATE SCHEMA mayfly; CREATE TABLE mayfly.sessions (id int)');
    expect(await copy(foreign)).toContain('does not belong to Mayfly');
    const newer = await postgres.createUrl();
    await query(
      newer,
      'CREATE SCHEMA mayfly; CREATE TABLE mayfly.migrations (version integer); INSERT INTO mayfly.migrations VALUES (9000)',
    );
    expect(await copy(newer)).toContain('schema 9000');
    expect(await copy('postgres://mayfly:s3cret@127.0.0.1:1/mayfly')).not.toContain('s3cret');
  });

  it('from a missing store, one of another version, and one used since the copy began', async () => {
    const [dataDir, url] = [await stoppedStore(), await postgres.createUrl()];
    const file = path.join(dataDir, 'mayfly.db');
    const setSchema = (version: number): void => {
      const database = new Database(file);
      database.pragma(`user_version = ${version}`);
      database.close();
    };
    const copy = (from: string): Promise<string> => refusal(dataDir, 'copy', '--from', from, '--to', url);
    expect(await copy(`sqlite:${await useDataFolder()}`)).toContain('There is no store at');
    setSchema(0);
    expect(await copy(`sqlite:${dataDir}`)).toContain('start the service on it once');
    setSchema(17);
    expect(await copy(`sqlite:${dataDir}`)).toContain('of a build before the first release');
    setSchema(9000);
    expect(await copy(`sqlite:${dataDir}`)).toContain('written by a newer version');
    const junk = path.join(await useDataFolder(), 'junk.db');
    await writeFile(junk, 'no database at all'.repeat(100));
    expect(await copy(`sqlite:${junk}`)).toContain('is no store');
    const newest = Number(
      (await query<{ n: string }>(url, "SELECT count(*) AS n FROM pg_namespace WHERE nspname = 'mayfly'"))[0]
        ?.n,
    );
    expect(newest).toBe(0);
  });

  it('resumed with another store than it was begun with', async () => {
    const [one, other, url] = [await stoppedStore(), await stoppedStore(), await postgres.createUrl()];
    await run(one, {}, 'copy', '--from', `sqlite:${one}`, '--to', url);
    await query(url, 'UPDATE mayfly.copies SET finished_at = NULL');
    expect(await refusal(other, 'copy', '--from', `sqlite:${other}`, '--to', url)).toContain(
      'from another source',
    );
    await mkdir(path.join(one, 'operator', 'new'), { recursive: true });
    await writeFile(path.join(one, 'operator', 'new', '1.letter'), 'Subject: late\r\n\r\n');
    expect(await refusal(one, 'copy', '--from', `sqlite:${one}`, '--to', url)).toContain('was used since');
  });

  it('with invalid words', async () => {
    const dataDir = await useDataFolder();
    const wrong = [
      ['copy'],
      ['copy', '--from', 'data', '--to', 'postgres://127.0.0.1/x'],
      ['copy', '--from', 'sqlite:data', '--to', 'mysql://127.0.0.1/x'],
      ['serve', '--from', 'sqlite:data'],
    ];
    for (const words of wrong) expect((await runMayfly(dataDir, words)).status).toBe(64);
    expect(await refusal(dataDir, 'copy', '--from', `sqlite:${dataDir}`)).toContain('The target is missing');
  });
});
