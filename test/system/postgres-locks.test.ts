// The PostgreSQL store while another client holds a lock on its tables: its reports, its statements left on the server,
// and that nothing refused is stored afterwards.

import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';

import type { Session } from '../../src/domain/session.ts';
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { deliveryOf, newSession } from '../contract/store-fixture.ts';
import { startPgbouncer } from '../support/postgres/pgbouncer.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes } from '../support/postgres/postgres-nodes.ts';

const postgres = usePostgresFixture();
const large = Array.from({ length: 3 }, (_, at) => Buffer.alloc(200_000, at));
/** Those of a node, and a probe. */
const backendsMax = 13;

async function lend({ mail }: PostgresStore): Promise<Session> {
  const session = await mail.createSession(newSession());
  if (session === 'taken') throw new Error('The address was taken.');
  return session;
}

async function countMessages({ mail }: PostgresStore, { key }: Session): Promise<number> {
  return (await mail.listMessages(key, { limit: 1000, order: 'oldest-first' })).length;
}

/** Opens a connection of another client. */
async function connectStranger(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'stranger' });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Resolves with a function that lets go of the lock. */
async function lock(stranger: pg.Client, statement: string): Promise<() => Promise<unknown>> {
  await stranger.query('BEGIN');
  await stranger.query(statement);
  return () => stranger.query('ROLLBACK');
}

async function countBackends(watcher: pg.Client): Promise<number> {
  const { rows } = await watcher.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'mayfly'`,
  );
  return rows[0]?.count ?? 0;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 60_000; !(await isSo()); await delay(50)) {
    expect(performance.now()).toBeLessThan(deadline);
  }
}

type Outcome = 'stored' | 'refused';

async function outcomeOf(work: Promise<readonly { outcome: string }[]>): Promise<Outcome> {
  try {
    expect(await work).toMatchObject([{ outcome: 'stored' }]);
    return 'stored';
  } catch (error) {
    expect(error).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    return 'refused';
  }
}

const ways = [
  ['directly', false],
  ['through pgbouncer', true],
] as const;

describe.each(ways)('a lock, %s', (_, isBounced) => {
  async function open() {
    const url = await postgres.createUrl();
    const nodeUrl = isBounced ? (await startPgbouncer(url)).url : url;
    const store = await postgres.openNode(nodeUrl, { directUrl: url, isPrepared: !isBounced });
    const [stranger, watcher] = [await connectStranger(url), await connectStranger(url)];
    return { store, stranger, watcher, session: await lend(store) };
  }

  async function refuse(statement: string): Promise<void> {
    const { store, stranger, session } = await open();
    const release = await lock(stranger, statement);
    const outcomes: Promise<Outcome>[] = [];
    for (let count = 0; count < 6; count++) {
      outcomes.push(outcomeOf(store.mail.deliver([deliveryOf(session)])));
      outcomes.push(outcomeOf(store.mail.deliver([deliveryOf(session, large)])));
      await delay(1000);
    }
    await delay(2100);
    await release();
    const stored = (await Promise.all(outcomes)).filter((outcome) => outcome === 'stored').length;
    expect(stored, statement).toBeLessThan(outcomes.length);
    // A statement left behind would commit by now.
    expect(await outcomeOf(store.mail.deliver([deliveryOf(session)]))).toBe('stored');
    await delay(500);
    expect(await countMessages(store, session), statement).toBe(stored + 1);
  }

  it('stores nothing that was refused, whatever is locked', async () => {
    // Most of it is waiting, each on a database of its own.
    await Promise.all(
      [
        'LOCK TABLE mayfly.sessions IN ACCESS EXCLUSIVE MODE',
        'LOCK TABLE mayfly.messages IN SHARE MODE',
        'SELECT 1 FROM mayfly.sessions FOR UPDATE',
      ].map(refuse),
    );
  }, 240_000);

  it('leaves a bounded number of backends, is reported without calls, and is over with it', async () => {
    const { store, stranger, watcher, session } = await open();
    const release = await lock(stranger, 'LOCK TABLE mayfly.sessions IN ACCESS EXCLUSIVE MODE');
    let most = 0;
    const ask = (): Promise<unknown>[] => [
      store.mail.findSessionByKey(session.key),
      store.mail.findSession(session.key),
      store.mail.findLiveSession('somebody@example.org'),
      store.mail.createSession(newSession()),
      store.mail.endDueSessions(10),
      store.mail.deliver([deliveryOf(session)]),
      store.mail.deliver([deliveryOf(session, large)]),
      store.mail.extendSession(session.key, 1000),
      store.attempts.addAttempt(session.key, Buffer.from('x')),
    ];
    const asked: Promise<unknown>[] = [];
    for (let round = 0; round < 48; round++) {
      asked.push(Promise.allSettled(ask()));
      await delay(250);
      most = Math.max(most, await countBackends(watcher));
      if (round > 32) expect(store.isReachable()).toBe(false);
    }
    await Promise.all(asked);
    expect(most).toBeLessThanOrEqual(backendsMax);
    // Its calls have ended, and there are no new ones.
    await delay(5000);
    expect(store.isReachable()).toBe(false);
    await release();
    await until(() => store.isReachable());
    expect(await store.mail.findSessionByKey(session.key)).toMatchObject({ state: 'live' });
  }, 300_000);
});

it('a statement of a node that has died ends at the server', async () => {
  const url = await postgres.createUrl();
  const bouncer = await startPgbouncer(url);
  const node = await new PostgresNodes(bouncer.url, { MAYFLY_STORE_DIRECT_URL: url }).start();
  const { token } = await node.lend();
  const [stranger, watcher] = [await connectStranger(url), await connectStranger(url)];
  const release = await lock(stranger, 'LOCK TABLE mayfly.sessions IN ACCESS EXCLUSIVE MODE');
  const asked = Promise.allSettled([node.call('/check-mail', token), node.call('/check-mail', token)]);
  const countWaiting = async (): Promise<number> => {
    const { rows } = await watcher.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted AND relation = 'mayfly.sessions'::regclass`,
    );
    return rows[0]?.count ?? 0;
  };
  await until(async () => (await countWaiting()) > 0);
  node.child.kill('SIGKILL');
  await asked;
  await until(async () => (await countWaiting()) === 0);
  await release();
}, 300_000);
