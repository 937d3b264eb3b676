// Several nodes on one PostgreSQL database: starting at once, notifying each other, taking turns at jobs, and the
// partitions they share.

import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { withConnection } from '#postgres/connections';
import type { Session, SessionKey } from '../../src/domain/session.ts';
import type { Lease } from '../../src/store/lease-store.ts';
import {
  migrate,
  type Migration,
  NewerSchemaError,
  readMigrations,
} from '../../src/store/postgres/database/migrate.ts';
import { newestOf } from '../../src/store/schema-version.ts';
import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import type { WakeChannel } from '../../src/store/stores.ts';
import { deliveryOf, newSession } from '../contract/store-fixture.ts';
import { throughPort, usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';

const postgres = usePostgresFixture();
const dayMs = 86_400_000;

async function lend({ mail }: PostgresStore): Promise<Session> {
  const session = await mail.createSession(newSession());
  if (session === 'taken') throw new Error('The address was taken.');
  return session;
}

/** Takes the lease from any holder of more than a minute. */
async function takeSweep({ shared }: PostgresStore, holder = 'a'): Promise<Lease> {
  const lease = await shared.leases.takeLease('sweep', holder, 60_000);
  if (!lease) throw new Error('Another has the lease.');
  return lease;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`Never: ${what}`);
    await delay(5);
  }
}

interface Listening {
  readonly channel: WakeChannel;
  readonly keys: Set<string>;
  readonly errors: unknown[];
  gaps: number;
}

function listen(store: PostgresStore): Listening {
  const keys = new Set<string>();
  const errors: unknown[] = [];
  const channel = store.shared.createWakeChannel({
    onWake: (key) => keys.add(Buffer.from(key).toString('hex')),
    onGap: () => (listening.gaps += 1),
    onError: (error) => errors.push(error),
  });
  const listening: Listening = { channel, keys, errors, gaps: 0 };
  onTestFinished(() => listening.channel.close());
  return listening;
}

/** Both listen: each receives the other's notifications. */
async function untilConnected(from: Listening, to: Listening): Promise<void> {
  const probe = randomBytes(16) as unknown as SessionKey;
  await until(() => {
    from.channel.announce(probe);
    return to.keys.has(Buffer.from(probe).toString('hex'));
  }, 'the channel is open');
  to.keys.clear();
}

describe('the schema', () => {
  it('is created once by nodes that start at the same moment', async () => {
    const url = await postgres.createUrl();
    const nodes = await Promise.all(Array.from({ length: 4 }, () => postgres.openNode(url)));
    const sessions = await Promise.all(nodes.map((node) => lend(node)));
    for (const { key } of sessions) {
      expect(await nodes[0]?.mail.findSessionByKey(key)).toMatchObject({ state: 'live' });
    }
  });

  it('is unchanged by a migration that fails, and migrated by the next', async () => {
    const url = await postgres.createUrl();
    const known = readMigrations();
    const version = newestOf(known) + 1;
    const next = (sql: string) => [...known, { version, needs: version, sql }];
    const apply = (migrations: Migration[]) =>
      withConnection(url, (client) => migrate(client, { migrations }));
    expect(await apply(known)).toBe(known.length);
    await expect(apply(next('CREATE TABLE mayfly.half (); SELECT 1 / 0'))).rejects.toThrow(
      'division by zero',
    );
    expect(await apply(known)).toBe(0);
    expect(await apply(next('CREATE TABLE mayfly.half ()'))).toBe(1);
    expect(await apply(next('CREATE TABLE mayfly.half ()'))).toBe(0);
  });

  it('is refused when a newer program wrote it', async () => {
    const url = await postgres.createUrl();
    const newer = [...readMigrations(), { version: 9000, needs: 9000, sql: 'SELECT 1' }];
    await withConnection(url, (client) => migrate(client, { migrations: newer }));
    await expect(postgres.openNode(url)).rejects.toThrow(NewerSchemaError);
    await expect(postgres.openNode(url)).rejects.toThrow(
      /^The store has schema 9000, this Mayfly knows \d+: /,
    );
  });
});

describe('news', () => {
  it('reaches the other nodes, not the own, and many items at once in few notifications', async () => {
    const url = await postgres.createUrl();
    const [one, other] = [await postgres.openNode(url), await postgres.openNode(url)];
    const [own, far] = [listen(one), listen(other)];
    await untilConnected(own, far);
    own.keys.clear();
    const keys = Array.from({ length: 1000 }, () => randomBytes(16));
    for (const key of keys) own.channel.announce(key as unknown as SessionKey);
    await until(() => keys.every((key) => far.keys.has(key.toString('hex'))), 'all are heard');
    expect(own.keys.size).toBe(0);
    expect(far.errors).toEqual([]);
  });

  it('waiting when the channel is closed is sent first', async () => {
    const url = await postgres.createUrl();
    const [one, other] = [await postgres.openNode(url), await postgres.openNode(url)];
    const [own, far] = [listen(one), listen(other)];
    await untilConnected(own, far);
    const keys = Array.from({ length: 1000 }, () => randomBytes(16));
    for (const key of keys) own.channel.announce(key as unknown as SessionKey);
    await own.channel.close();
    await until(() => keys.every((key) => far.keys.has(key.toString('hex'))), 'all are heard');
  });

  it('makes all nodes check when it concerns too many sessions to name', async () => {
    const url = await postgres.createUrl();
    const [one, other] = [await postgres.openNode(url), await postgres.openNode(url)];
    const [own, far] = [listen(one), listen(other)];
    await untilConnected(own, far);
    for (let count = 0; count < 40_000; count++) {
      own.channel.announce(randomBytes(16) as unknown as SessionKey);
    }
    await until(() => far.gaps > 0, 'all readers are to look again');
  });

  it('that could not be sent while the database was away is recovered once it is back', async () => {
    const url = await postgres.createUrl();
    const proxy = await startTcpProxy(portOf(url));
    const one = await postgres.openNode(throughPort(url, proxy.port), { directUrl: url });
    const other = await postgres.openNode(url);
    const [own, far] = [listen(one), listen(other)];
    await untilConnected(own, far);
    proxy.refuse(true);
    proxy.cutAll();
    own.channel.announce(randomBytes(16) as unknown as SessionKey);
    await until(() => own.errors.length > 0, 'an error');
    expect(far.gaps).toBe(0);
    proxy.refuse(false);
    await until(() => far.gaps === 1, 'everybody looks');
    expect(own.errors).toHaveLength(1);
  });

  it('that arrived while the listening connection was cut is recovered once it is back', async () => {
    const url = await postgres.createUrl();
    const proxy = await startTcpProxy(portOf(url));
    const one = await postgres.openNode(url);
    const other = await postgres.openNode(url, { directUrl: throughPort(url, proxy.port) });
    const [own, far] = [listen(one), listen(other)];
    await untilConnected(own, far);
    proxy.refuse(true);
    proxy.cutAll();
    await until(() => far.errors.length > 0, 'the cut is noticed');
    expect(far.gaps).toBe(0);
    proxy.refuse(false);
    await until(() => far.gaps === 1, 'it looks for what it missed');
    await untilConnected(own, far);
  });
});

describe('the holder of an address', () => {
  /** Opens two connected nodes; the first one's statements go through a proxy. */
  async function openPair() {
    const url = await postgres.createUrl();
    const [statements, news] = [await startTcpProxy(portOf(url)), await startTcpProxy(portOf(url))];
    const one = await postgres.openNode(throughPort(url, statements.port), {
      directUrl: throughPort(url, news.port),
    });
    const other = await postgres.openNode(url);
    const [own, far] = [listen(one), listen(other)];
    await untilConnected(own, far);
    await untilConnected(far, own);
    const end = async ({ key }: Session): Promise<void> => {
      await other.mail.endSession(key);
      far.channel.announce(key);
    };
    return { one, other, own, far, statements, news, end };
  }

  it('is known without a look-up where it was created or looked up, and nowhere else', async () => {
    const { one, other, statements } = await openPair();
    const [lent, seen, unseen] = [await lend(one), await lend(other), await lend(other)];
    expect(await one.mail.findLiveSession(seen.address)).toEqual(seen);
    statements.refuse(true);
    statements.cutAll();
    expect(await one.mail.findLiveSession(lent.address)).toEqual(lent);
    expect(await one.mail.findLiveSession(seen.address)).toEqual(seen);
    await expect(one.mail.findLiveSession(unseen.address)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is forgotten with the news that the session has ended on another node', async () => {
    const { one, end } = await openPair();
    const session = await lend(one);
    expect(await one.mail.findLiveSession(session.address)).toEqual(session);
    await end(session);
    await until(
      async () => (await one.mail.findLiveSession(session.address)) === undefined,
      'the end is heard of',
    );
  });

  it('changes with the news that the session was renamed on another node, before or after a look-up', async () => {
    const { one, other, far } = await openPair();
    const sessions = [await lend(one), await lend(one)];
    for (const [at, { key, address }] of sessions.entries()) {
      const to = `renamed-${at}@mayfly.test`;
      await other.mail.renameSession(key, { address: to, addressKey: to, quarantineMs: 0 });
      // Cached under both addresses until the notification arrives.
      if (at === 0) expect(await one.mail.findLiveSession(to)).toMatchObject({ key });
      far.channel.announce(key);
      await until(async () => !(await one.mail.findLiveSession(address)), 'the new name is heard of');
      expect(await one.mail.findLiveSession(to)).toMatchObject({ key, address: to });
    }
  });

  it('is looked up while no news is received', async () => {
    const { one, own, other, news } = await openPair();
    const session = await lend(one);
    news.refuse(true);
    news.cutAll();
    await until(() => own.errors.length > 0, 'the cut is noticed');
    await other.mail.endSession(session.key);
    expect(await one.mail.findLiveSession(session.address)).toBeUndefined();
  });

  it('does not decide: mail for a session whose end was missed is refused by the commit', async () => {
    const { one, other } = await openPair();
    const session = await lend(one);
    // Without notification: the node may have been killed first.
    await other.mail.endSession(session.key);
    expect(await one.mail.findLiveSession(session.address)).toEqual(session);
    expect(await one.mail.deliver([deliveryOf(session)])).toEqual([{ outcome: 'ended' }]);
    expect(await one.mail.findLiveSession(session.address)).toBeUndefined();
  });
});

describe('a lease', () => {
  it('goes to another holder once it has expired, and the old one is refused on its return', async () => {
    const url = await postgres.createUrl();
    let now = Date.UTC(2026, 0, 1);
    const clock = (): number => now;
    const [one, other] = [await postgres.openNode(url, { clock }), await postgres.openNode(url, { clock })];
    const first = await one.shared.leases.takeLease('sweep', 'one', 1000);
    expect(first).toEqual({ name: 'sweep', holder: 'one', epoch: 1 });
    expect(await other.shared.leases.takeLease('sweep', 'other', 1000)).toBeUndefined();
    now += 500;
    expect(await one.shared.leases.takeLease('sweep', 'one', 1000)).toEqual(first);
    now += 1000;
    expect(await other.shared.leases.takeLease('sweep', 'other', 1000)).toMatchObject({ epoch: 2 });
    expect(await one.shared.leases.takeLease('sweep', 'one', 1000)).toBeUndefined();
    await one.shared.leases.releaseLease(first!);
    expect(await one.shared.leases.takeLease('sweep', 'one', 1000)).toBeUndefined();
    await other.shared.leases.releaseLease({ name: 'sweep', holder: 'other', epoch: 2 });
    expect(await one.shared.leases.takeLease('sweep', 'one', 1000)).toMatchObject({ epoch: 3 });
  });

  it('is given to one of many concurrent callers', async () => {
    const node = await postgres.openNode(await postgres.createUrl());
    const asked = Array.from({ length: 10 }, (_, at) =>
      node.shared.leases.takeLease('job', `holder ${at}`, 60_000),
    );
    expect((await Promise.all(asked)).filter((lease) => lease !== undefined)).toHaveLength(1);
  });
});

describe('partitions', () => {
  async function countUnreclaimed(url: string): Promise<number> {
    const { rows } = await withConnection(url, (client) =>
      client.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM mayfly.sessions WHERE ended_at IS NOT NULL AND NOT is_reclaimed',
      ),
    );
    return rows[0]?.count ?? NaN;
  }

  async function countMessages(url: string): Promise<number> {
    const { rows } = await withConnection(url, (client) =>
      client.query<{ count: number }>('SELECT count(*)::int AS count FROM mayfly.messages'),
    );
    return rows[0]?.count ?? NaN;
  }

  async function listBuckets(url: string): Promise<number[]> {
    const rows = await withConnection(url, (client) =>
      client.query<{ bucket: number }>(
        `SELECT substr(relname, 10)::int AS bucket FROM pg_class
         WHERE relnamespace = 'mayfly'::regnamespace AND relkind = 'r' AND relname LIKE 'messages\\_%' ORDER BY 1`,
      ),
    );
    return rows.rows.map(({ bucket }) => bucket);
  }

  /** Opens a node that holds the lease of the sweep and has created its partitions. */
  async function openWithPartitions() {
    const url = await postgres.createUrl();
    const clock = { now: Date.UTC(2026, 0, 1) };
    const node = await postgres.openNode(url, { clock: () => clock.now, totalLifetimeMs: dayMs });
    const lease = await takeSweep(node);
    await node.shared.partitions.makeAhead(lease);
    return { url, clock, node, lease, made: await listBuckets(url) };
  }

  it('are created ahead by several nodes at once, and dropped when their day has passed without live sessions', async () => {
    const url = await postgres.createUrl();
    let now = Date.UTC(2026, 0, 1);
    const options = { clock: () => now, totalLifetimeMs: dayMs };
    const nodes = [await postgres.openNode(url, options), await postgres.openNode(url, options)];
    const [node] = nodes as [PostgresStore, PostgresStore];
    const lease = await takeSweep(node);
    await Promise.all(nodes.map(({ shared }) => shared.partitions.makeAhead(lease)));
    const made = await listBuckets(url);
    expect(made).toHaveLength(3);
    const session = await lend(node);
    expect(await node.mail.deliver([deliveryOf(session)])).toMatchObject([{ outcome: 'stored' }]);
    expect(await countMessages(url)).toBe(1);
    expect(await listBuckets(url)).toEqual(made);

    now += 2 * dayMs + 3_599_999;
    expect(await node.shared.partitions.dropPassed(lease)).toEqual([]);
    now += 1;
    // Not before the sweep has ended its sessions.
    expect(await node.shared.partitions.dropPassed(lease)).toEqual([]);
    expect(await node.mail.endDueSessions(10)).toBe(1);
    const dropped = await Promise.all(nodes.map(({ shared }) => shared.partitions.dropPassed(lease)));
    expect(dropped.flat()).toContain(made[0]);
    expect(await listBuckets(url)).toEqual(made.slice(1));
    while (await node.mail.reclaim(5));
    expect(await countUnreclaimed(url)).toBe(0);
    expect(await countMessages(url)).toBe(0);
    await expect(
      node.mail.listMessages(session.key, { limit: 9, order: 'newest-first' }),
    ).rejects.toMatchObject({ code: 'session_expired' });
    expect(await lend(node)).toMatchObject({ createdAt: now });
  });

  it('and the rest of the sweep are left alone by a node whose lease another has taken over', async () => {
    const { url, clock, node, lease: old, made } = await openWithPartitions();
    await lend(node);
    clock.now += 60_001;
    const lease = await takeSweep(node, 'b');
    expect(lease.epoch).toBe(old.epoch + 1);
    clock.now += 2 * dayMs + 3_600_000;

    expect(await node.mail.endDueSessions(10, old)).toBe(0);
    expect(await node.mail.endDueSessions(10, lease)).toBe(1);
    expect(await node.mail.reclaim(5, old)).toBe(false);
    expect(await countUnreclaimed(url)).toBe(1);
    while (await node.mail.reclaim(5, lease));
    expect(await countUnreclaimed(url)).toBe(0);
    await node.shared.partitions.makeAhead(old);
    expect(await node.shared.partitions.dropPassed(old)).toEqual([]);
    expect(await listBuckets(url)).toEqual(made);
    await node.shared.partitions.makeAhead(lease);
    expect(await node.shared.partitions.dropPassed(lease)).toEqual(made.slice(0, 1));
    expect((await listBuckets(url)).length).toBeGreaterThan(made.length);
  });

  it('are dropped completely although an earlier attempt was interrupted', async () => {
    const { url, clock, node, lease, made } = await openWithPartitions();
    clock.now += 2 * dayMs + 3_600_000;
    await withConnection(url, async (client) => {
      await client.query(`ALTER TABLE mayfly.messages DETACH PARTITION mayfly.messages_${made[0]}`);
      await client.query(`ALTER TABLE mayfly.chunks DETACH PARTITION mayfly.chunks_${made[0]}`);
      await client.query(`DROP TABLE mayfly.chunks_${made[0]}`);
    });
    expect(await node.shared.partitions.dropPassed(lease)).toEqual(made.slice(0, 1));
    expect(await listBuckets(url)).toEqual(made.slice(1));
  });
});
