// Destroyed data keys leave PostgreSQL's files and log, whichever node ended the session and whatever interfered,
// without delaying anything. The test searches the bytes on disk.

import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import { createSessionCaches } from '../../src/service/mail/session-caches.ts';
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { deliveryOf, findBytes, newSession } from '../contract/store-fixture.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const postgres = usePostgresFixture();

async function lend({ mail }: PostgresStore): Promise<Session> {
  const session = await mail.createSession(newSession());
  if (session === 'taken') throw new Error('The address was taken.');
  return session;
}

function lendSome(store: PostgresStore, count: number): Promise<Session[]> {
  return Promise.all(Array.from({ length: count }, () => lend(store)));
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Returns the sessions whose keys are on disk, in the database's files or the log. */
async function onDisk(url: string, sessions: readonly Session[]): Promise<boolean[]> {
  const files = await (await postgres.server()).readFiles(new URL(url).pathname.slice(1));
  const found = new Set(
    findBytes(
      Buffer.concat(files),
      sessions.map(({ dataKey }) => dataKey),
    ),
  );
  return sessions.map(({ dataKey }) => found.has(dataKey));
}

async function open() {
  const url = await postgres.createUrl();
  return { url, one: await postgres.openNode(url), other: await postgres.openNode(url) };
}

describe('a destroyed key', () => {
  it('is erased although another node than the sweeping one ended the session', async () => {
    const { url, one, other } = await open();
    const [live, ended] = [await lend(one), await lend(one)];
    expect(await one.mail.scrub()).toBe(true);
    await other.mail.endSession(ended.key);
    expect(await one.mail.scrub()).toBe(true);
    expect(await onDisk(url, [live, ended])).toEqual([true, false]);
  });

  it('is erased although the sweeping node was started after the end', async () => {
    const { url, one, other } = await open();
    const ended = await lend(one);
    await other.mail.endSession(ended.key);
    const fresh = await postgres.openNode(url);
    expect(await fresh.mail.scrub()).toBe(true);
    expect(await onDisk(url, [ended])).toEqual([false]);
  });

  it('is erased once an old snapshot is closed, from any node, and that snapshot sees the live ones', async () => {
    const { url, one, other } = await open();
    const [live, ended] = [await lend(one), await lend(one)];
    const reader = await connect(url);
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT 1');
    await one.mail.endSession(ended.key);
    // Like a backup, it takes its locks some time after its snapshot.
    expect(await one.mail.scrub()).toBe(false);
    const { rows } = await reader.query<{ key: Buffer }>('SELECT session_key AS key FROM mayfly.data_keys');
    expect(rows.map(({ key }) => key.toString('hex'))).toContain(Buffer.from(live.key).toString('hex'));
    await reader.query('COMMIT');
    expect(await other.mail.scrub()).toBe(true);
    expect(await onDisk(url, [live, ended])).toEqual([true, false]);
    expect(await other.mail.findSessionByKey(live.key)).toMatchObject({ state: 'live', session: live });
  });

  it('is erased although the node died in the middle of moving keys', async () => {
    const { url, one } = await open();
    const sessions = await lendSome(one, 50);
    const [ended, live] = [sessions.slice(0, 25), sessions.slice(25)];
    const dying = await connect(url);
    await dying.query('UPDATE mayfly.key_scrubbing SET generation = 1, emptying = 0, is_moving = true');
    await dying.query('BEGIN');
    await dying.query("SELECT mayfly.move_keys(0::smallint, '', 1000)");
    // The copied rows stay in the file nevertheless.
    await dying.query('ROLLBACK');
    await Promise.all(ended.map(({ key }) => one.mail.endSession(key)));
    expect(await one.mail.scrub()).toBe(true);
    expect(await onDisk(url, sessions)).toEqual(sessions.map((session) => live.includes(session)));
  });

  it('is erased although the node died when it had gone from the files but not from the log', async () => {
    const { url, one, other } = await open();
    expect(await one.mail.scrub()).toBe(true);
    const ended = await lend(one);
    await one.mail.endSession(ended.key);
    const dying = await connect(url);
    await dying.query('UPDATE mayfly.key_scrubbing SET generation = 1, emptying = 0');
    expect((await dying.query('SELECT mayfly.replace_key_file() AS done')).rows).toEqual([{ done: true }]);
    expect(await onDisk(url, [ended])).toEqual([true]);
    expect(await other.mail.scrub()).toBe(true);
    expect(await onDisk(url, [ended])).toEqual([false]);
  });

  it('erased by another server, whose database was restored here, needs nothing more', async () => {
    const { url, one } = await open();
    const client = await connect(url);
    await client.query("UPDATE mayfly.key_scrubbing SET log_until = 'FFFF/0'");
    expect(await one.mail.scrub()).toBe(true);
    const { rows } = await client.query('SELECT log_until FROM mayfly.key_scrubbing');
    expect(rows).toEqual([{ log_until: null }]);
  });

  it('leaves the log to the server, with one warning, if the user lacks the privilege', async () => {
    const url = new URL(await postgres.createUrl());
    const admin = await connect(url.href);
    const role = `plain_${randomBytes(4).toString('hex')}`;
    await admin.query(`CREATE ROLE ${role} LOGIN`);
    await admin.query(`GRANT CREATE ON DATABASE ${url.pathname.slice(1)} TO ${role}`);
    url.username = role;
    const warnings: string[] = [];
    const node = await postgres.openNode(url.href, { onWarning: (warning) => warnings.push(warning) });
    for (let round = 0; round < 2; round++) {
      const ended = await lend(node);
      await node.mail.endSession(ended.key);
      expect(await node.mail.scrub()).toBe(true);
    }
    expect(warnings.filter((warning) => warning.includes('pg_switch_wal'))).toHaveLength(1);
  });
});

describe('while keys are erased', () => {
  it.each(['ACCESS SHARE', 'ROW EXCLUSIVE'])('nothing waits, though %s is held on them', async (mode) => {
    const { url, one, other } = await open();
    const [live, ended] = [await lend(one), await lend(one)];
    const holder = await connect(url);
    await holder.query(`BEGIN; LOCK TABLE mayfly.data_keys IN ${mode} MODE`);
    await one.mail.endSession(ended.key);
    let isDone = false;
    const scrubbing = one.mail.scrub().finally(() => (isDone = true));
    let answered = 0;
    for (; !isDone; answered++) {
      expect(await other.mail.findSessionByKey(live.key)).toMatchObject({ state: 'live' });
      await lend(other);
    }
    expect(await scrubbing).toBe(false);
    // Queued behind a waiting lock they would all have finished after it.
    expect(answered).toBeGreaterThan(20);
    await holder.query('COMMIT');
    expect(await one.mail.scrub()).toBe(true);
    expect(await onDisk(url, [live, ended])).toEqual([true, false]);
  });

  it('a lock not acquired soon is given up, and statements waiting behind it continue', async () => {
    const { url, one, other } = await open();
    const live = await lend(one);
    const holder = await connect(url);
    const scrubber = await connect(url);
    await scrubber.query('UPDATE mayfly.key_scrubbing SET emptying = 1');
    await holder.query('BEGIN; LOCK TABLE mayfly.data_keys IN ACCESS SHARE MODE');
    await expect(scrubber.query('SELECT mayfly.replace_key_file()')).rejects.toMatchObject({ code: '55P03' });
    expect(await other.mail.findSessionByKey(live.key)).toMatchObject({ state: 'live' });
    await holder.query('COMMIT');
  });

  it('a file with a key in it is not replaced', async () => {
    const { url, one } = await open();
    const live = await lend(one);
    const client = await connect(url);
    await client.query('UPDATE mayfly.key_scrubbing SET generation = 1, emptying = 0');
    const { rows } = await client.query('SELECT mayfly.replace_key_file() AS done');
    expect(rows).toEqual([{ done: false }]);
    expect(await one.mail.findSessionByKey(live.key)).toMatchObject({ state: 'live', session: live });
  });

  it('a session that is just ending keeps no key, and one being created loses none', async () => {
    const { url, one } = await open();
    const sessions = await lendSome(one, 4);
    await one.mail.endSession(sessions[1]!.key);
    const client = await connect(url);
    // Its end has begun when the keys are moved, and commits afterwards.
    await client.query('BEGIN');
    await client.query('SELECT mayfly.end_session(NULL, $1, 0)', [sessions[0]?.key]);
    const [isDone, made] = await Promise.all([one.mail.scrub(), lendSome(one, 50)]);
    expect(isDone).toBe(false);
    await client.query('COMMIT');
    while (!(await one.mail.scrub()));
    for (const session of [...sessions.slice(2), ...made]) {
      expect(await one.mail.findSessionByKey(session.key)).toMatchObject({ state: 'live', session });
    }
    expect(await onDisk(url, sessions)).toEqual([false, false, true, true]);
  });

  it('sessions are created, used and ended on every node, and none loses its key or keeps it', async () => {
    const { url, one, other } = await open();
    const live: Session[] = [];
    const ended: Session[] = [];
    let isOver = false;
    const scrubs = [one, other].map(async (node) => {
      let count = 0;
      for (; !isOver; count++) await node.mail.scrub();
      return count;
    });
    for (let round = 0; round < 25; round++) {
      const node = round % 2 === 0 ? one : other;
      live.push(...(await lendSome(node, 12)));
      const ending = live.splice(0, 8);
      await Promise.all([
        ...ending.map(({ key }) => node.mail.endSession(key)),
        ...live.slice(0, 10).map((session) => other.mail.deliver([deliveryOf(session)])),
        ...live.slice(0, 10).map(async ({ key, dataKey }) => {
          const found = await one.mail.findSessionByKey(key);
          expect(found).toMatchObject({ state: 'live', session: { dataKey } });
        }),
      ]);
      ended.push(...ending);
    }
    isOver = true;
    expect((await Promise.all(scrubs)).every((count) => count > 1)).toBe(true);
    while (!(await one.mail.scrub()));
    expect(await onDisk(url, [...live, ...ended])).toEqual([
      ...live.map(() => true),
      ...ended.map(() => false),
    ]);
    const client = await connect(url);
    const { rows } = await client.query('SELECT count(*)::int AS keys FROM mayfly.data_keys');
    expect(rows).toEqual([{ keys: live.length }]);
  });
});

describe('a session that ended on another node without notification', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is reported as ended, and nothing of its mail is in memory a minute later', async () => {
    const { one, other } = await open();
    const session = await lend(one);
    // No node listens, as when the notification is lost with the node that should have sent it.
    expect(await other.mail.findSessionByKey(session.key)).toMatchObject({ state: 'live' });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const { lists, safeHtml } = createSessionCaches({ maxIdleMs: 50_000 });
    const list = { version: 0, messages: [] };
    await lists.make(session.key, 'a', () => Promise.resolve({ value: list, weight: 1 }));
    await one.mail.endSession(session.key);
    expect(await other.mail.findSessionByKey(session.key)).toEqual({ state: 'ended' });
    expect(lists.get(session.key, 'a')).toBe(list);
    vi.advanceTimersByTime(60_000);
    // It has left the cache before the query: the timer that clears it has nothing left to do.
    expect(vi.getTimerCount()).toBe(0);
    expect([lists.get(session.key, 'a'), safeHtml.get(session.key, 'a')]).toEqual([undefined, undefined]);
  });
});
