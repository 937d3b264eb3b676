// The cost of each message and each look-up on a Citus cluster: every statement queries one shard, and a group of
// deliveries is one call on one worker, which Citus need not plan.

import { randomBytes } from 'node:crypto';

import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { SessionKey } from '../../src/domain/session.ts';
import { toCopy } from '../../src/store/postgres/delivery/delivery-batch.ts';
import { ShardMap } from '#postgres/shard-map';
import { sendHere } from '../../src/store/postgres/citus/worker-groups.ts';
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts';
import { ownStates } from '../../src/store/postgres/own-states.ts';
import * as sql from '../../src/store/postgres/statements.ts';
import { newSession } from '../contract/store-fixture.ts';
import { type CitusDatabase, createCitusDatabase } from '../support/postgres/citus-cluster.ts';
import { postgresDefaults } from '../support/service/store-defaults.ts';

const dayMs = 86_400_000;
const explain = [
  "LOAD 'auto_explain'",
  'SET auto_explain.log_nested_statements = on',
  'SET auto_explain.log_min_duration = 0',
  'SET client_min_messages = log',
];
const session = newSession({ totalLifetimeMs: dayMs });
const { key } = session;
const address = Buffer.from(session.addressKey);
let database: CitusDatabase;
let bucket = 0;

beforeAll(async () => {
  database = await createCitusDatabase('plans');
  const quota = { messages: 1000, bytes: 1e9 };
  const operatorMailbox = { messagesMax: 1, bytesMax: 1 };
  const store = await openPostgresStore({
    ...postgresDefaults,
    url: database.url,
    quota,
    operatorMailbox,
    totalLifetimeMs: dayMs,
  });
  await store.mail.createSession(session);
  const raw = [Buffer.from('raw')];
  await store.mail.deliver([{ key: session.key, sizeBytes: 3, meta: Buffer.from('meta'), raw }]);
  await store.close();
  const [row] = await database.execute<{ bucket: number }>('SELECT bucket FROM mayfly.sessions');
  bucket = row?.bucket ?? 0;
}, 300_000);

afterAll(() => database.drop());

/** Returns the server's notices about all statements the work runs, nested ones included. */
async function noticesOf(
  url: string,
  settings: readonly string[],
  work: (client: pg.Client) => Promise<unknown>,
): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const plans: string[] = [];
  try {
    for (const statement of settings) await client.query(statement);
    client.on('notice', ({ message = '' }) => void plans.push(message));
    await work(client);
  } finally {
    await client.end();
  }
  return plans.join('\n');
}

const quotas = [1000, 1_000_000_000];
const calls: readonly (readonly [
  sql: { readonly name: string; readonly text: string },
  values: () => unknown[],
])[] = [
  [sql.findSessions, () => [null, [key]]],
  [sql.findHolders, () => [null, [address]]],
  [sql.findBucket, () => [key]],
  [sql.findFull, () => [key, null, 1000, 1_000_000]],
  [sql.listNewest, () => [bucket, key, 0, 100, 10]],
  [sql.listOldest, () => [bucket, key, 0, 100, 10]],
  [sql.listEvents, () => [bucket, key, 0, 10]],
  [sql.readChunk, () => [bucket, key, 1, 0]],
  [sql.findAuthentication, () => [bucket, key, 1]],
  [sql.listAttempts, () => [bucket, key]],
  [sql.keepNote, () => [bucket, key, 1, Buffer.from('glance'), null]],
  [sql.addAttempts, () => [null, [key], [5], [Buffer.from('sealed')], 50]],
  [sql.setRead, () => [null, key, 1, false, 10]],
  [sql.extendSession, () => [null, key, 7_200_000, 10]],
  [
    sql.deliver,
    () => [
      null,
      [key],
      [3],
      [Buffer.from('meta')],
      ['77'],
      [null],
      [1],
      [0],
      [Buffer.from('raw')],
      ...quotas,
      10,
      true,
      [0],
    ],
  ],
  [sql.deleteMessage, () => [null, key, 1, null, 50, 10]],
  [sql.endSession, () => [null, key, 10]],
];

it.each(calls.map(([statement, values]) => [statement.name, statement, values] as const))(
  '%s queries one shard of each table',
  async (_, { text }, values) => {
    const notices = await noticesOf(
      database.url,
      ['SET citus.log_remote_commands = on', 'SET client_min_messages = notice'],
      (client) => client.query(text, values()),
    );
    const shards = new Map<string, Set<string>>();
    for (const [, table = '', shard = ''] of notices.matchAll(/mayfly\.([a-z_]+?)(?:_\d{5})?_(\d{6,})\b/g)) {
      shards.set(table, (shards.get(table) ?? new Set()).add(shard));
    }
    expect(shards.size).toBeGreaterThan(0);
    expect([...shards].filter(([, ids]) => ids.size > 1)).toEqual([]);
  },
);

/** Sends a group for sessions of one worker. */
async function sendGroup(url: string): Promise<{ plans: string; stored: number }> {
  let stored = 0;
  const plans = await noticesOf(url, explain, async (client) => {
    const query = async (statement: { text: string }, values: readonly unknown[]) =>
      (await client.query(statement.text, [...values])).rows as never[];
    const map = new ShardMap({ read: query }, 'mayfly.sessions');
    await map.read();
    const { host, port } = map.find(key) ?? {};
    const copies = Array.from({ length: 30 }, (_, at) => {
      const other = at === 0 ? key : (randomBytes(16) as unknown as SessionKey);
      return toCopy({ key: other, sizeBytes: 3, meta: Buffer.from('meta'), raw: [Buffer.from('raw')] });
    }).filter(({ delivery }) => {
      const shard = map.find(delivery.key);
      return shard?.host === host && shard?.port === port;
    });
    expect(copies.length).toBeGreaterThan(1);
    const settings = { quota: { messages: 1000, bytes: 1e9 }, outboxRows: 0, now: () => null };
    const outcomes = await sendHere({ settings, map }, { query }, copies);
    stored = outcomes.filter((outcome) => outcome?.outcome === 'stored').length;
  });
  return { plans, stored };
}

it('a group is delegated whole by the coordinator, and needs no planning on its worker', async () => {
  await database.execute(
    `UPDATE mayfly.sessions SET ended_at = NULL WHERE key = '\\x${Buffer.from(key).toString('hex')}'`,
  );
  const delegated = await sendGroup(database.url);
  expect(delegated.stored).toBe(1);
  expect(delegated.plans).toMatch(/Citus Adaptive/);
  expect([...delegated.plans.matchAll(/Task Count: (\d+)/g)].every(([, count]) => count === '1')).toBe(true);
  const map = new ShardMap({ read: (async () => database.execute(listShards)) as never }, 'mayfly.sessions');
  await map.read();
  const shard = map.find(key);
  if (!shard) throw new Error('The session has no shard.');
  const direct = await sendGroup(database.urlOf(shard));
  expect(direct.stored).toBe(1);
  expect(direct.plans).toContain(`Update on sessions_${shard.id}`);
  expect(direct.plans).not.toContain('Citus Adaptive');
});

it('a look-up on the worker that has the session is planned by no one', async () => {
  const map = new ShardMap({ read: (async () => database.execute(listShards)) as never }, 'mayfly.sessions');
  await map.read();
  const shard = map.find(key);
  if (!shard) throw new Error('The session has no shard.');
  const values = [null, [shard.id], [1], [key]];
  const find = (url: string) =>
    noticesOf(url, explain, async (client) => {
      const { rows } = await client.query('SELECT * FROM mayfly.find_sessions_here($1, $2, $3, $4)', values);
      expect(rows).toMatchObject([{ o_place: '1', o_key: Buffer.from(key) }]);
    });
  const plans = await find(database.urlOf(shard));
  expect(plans).toContain(`on sessions_${shard.id}`);
  expect(plans).not.toContain('Citus Adaptive');
  const other = database.workers.find(({ port }) => port !== shard.port);
  await expect(find(database.urlOf(other!))).rejects.toMatchObject({ code: ownStates.moved });
});

const listShards = `SELECT s.shardid::int AS id, s.shardminvalue::int AS min, s.shardmaxvalue::int AS max, n.nodename AS host,
    n.nodeport AS port
  FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n ON n.groupid = p.groupid
  WHERE s.logicalrelid = 'mayfly.sessions'::regclass ORDER BY 2`;

it('keeps statistics of bytes on no machine', async () => {
  const analysed: string[] = [];
  for (const machine of database.machines) {
    const rows = await database.executeAt<{ name: string; type: string }>(
      machine,
      'ANALYZE',
      'SET citus.override_table_visibility = off',
      `SELECT s.tablename || '.' || s.attname AS name, format_type(a.atttypid, NULL) AS type
       FROM pg_stats s JOIN pg_attribute a
         ON a.attrelid = format('%I.%I', s.schemaname, s.tablename)::regclass AND a.attname = s.attname
       WHERE s.schemaname = 'mayfly'`,
    );
    expect(rows.filter(({ type }) => type === 'bytea')).toEqual([]);
    analysed.push(...rows.map(({ name }) => name));
  }
  expect(analysed.some((name) => /^sessions_\d+\.expires_at$/.test(name))).toBe(true);
  expect(analysed.some((name) => /^messages_\d+_\d+\.received_at$/.test(name))).toBe(true);
});
