// The placement of the schema on the machines of a Citus cluster, and its state. The rows of a session lie on the
// shard of its key, addresses on shards of their own; what every machine reads is replicated to all; what only nodes
// read and write, such as the outbox and the Gmail accounts, stays on the coordinator. Used by distribute.ts and
// open-postgres-store.ts.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type pg from 'pg';

import { transactUnderLock } from '../database/advisory-lock.ts';
import { UnfitDatabaseError } from '../database/check-database.ts';
import { readVersion } from '../database/migrate.ts';
import { type ShardTables, shardTableNames, toShardFunctions } from './shard-functions.ts';

export interface PlacedTable {
  readonly table: string;
  /** The distribution column; none if every machine has all rows. */
  readonly column?: string;
  /** The table whose shards it is colocated with. */
  readonly beside?: string;
}

const sessionTables = [
  ...[
    'data_keys',
    'destroyed_keys',
    'messages',
    'chunks',
    'notes',
    'events',
    'attempts',
    'origins',
    'garbage',
  ],
  ...['outbox_news', 'webhook_sessions'],
];

/** In order of distribution. */
export const placedTables: readonly PlacedTable[] = [
  ...['domains', 'buckets', 'api_keys', 'blocks'].map((table) => ({ table })),
  { table: 'addresses', column: 'address_key' },
  { table: 'sessions', column: 'key' },
  ...sessionTables.map((table) => ({ table, column: 'session_key', beside: 'sessions' })),
];

/** `begun`: interrupted, so rows may be in either place. */
type Distribution = 'none' | 'begun' | 'finished';

/** For a schema that is up to date. One restored from a backup has to be distributed again. */
export async function readDistribution(client: pg.ClientBase): Promise<Distribution> {
  const { rows } = await client.query<{ step: string }>('SELECT step FROM mayfly.distribution');
  if (rows.length === 0) return 'none';
  return rows.some(({ step }) => step === 'finished') && (await isSpread(client)) ? 'finished' : 'begun';
}

async function isSpread(client: pg.ClientBase): Promise<boolean> {
  const { rows: extensions } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  if (extensions.length === 0) return false;
  const { rows } = await client.query(
    "SELECT 1 FROM pg_catalog.pg_dist_partition WHERE logicalrelid = 'mayfly.sessions'::regclass",
  );
  return rows.length > 0;
}

/**
 * Returns whether the up-to-date schema is distributed, and if so installs its functions. @throws UnfitDatabaseError
 */
export async function prepareDistribution(client: pg.Client): Promise<boolean> {
  const distribution = await readDistribution(client);
  if (distribution === 'none') return false;
  if (distribution === 'begun') {
    throw new UnfitDatabaseError(
      'The database is not distributed to the end: run `mayfly postgres distribute` again first.',
    );
  }
  await putFunctions(client, await readVersion(client));
  return true;
}

/** If a migration has replaced plain PostgreSQL's function, the new version fills the outbox. */
const keepFillOutbox = `DO $$
BEGIN
  IF (
    SELECT prosrc NOT LIKE '%mayfly.outbox_news%' FROM pg_proc
    WHERE oid = 'mayfly.queue_events(text, bytea[], integer[], integer[], bigint[], integer)'::regprocedure
  ) THEN
    DROP FUNCTION IF EXISTS mayfly.fill_outbox(text, bytea[], integer[], integer[], bigint[], integer);
    ALTER FUNCTION mayfly.queue_events(text, bytea[], integer[], integer[], bigint[], integer) RENAME TO fill_outbox;
  END IF;
END $$`;
const isDelegated = `SELECT 1 FROM pg_catalog.pg_dist_object
  WHERE objid = (SELECT oid FROM pg_proc WHERE proname = 'deliver_here' AND pronamespace = 'mayfly'::regnamespace)
    AND distribution_argument_index IS NOT NULL`;
const delegate = `SELECT create_distributed_function(oid::regprocedure, 'p_key', colocate_with => 'mayfly.sessions')
  FROM pg_proc WHERE proname = 'deliver_here' AND pronamespace = 'mayfly'::regnamespace`;

/** Installs the functions a distributed schema needs, unless they exist. */
export async function putFunctions(client: pg.Client, schemaVersion: number): Promise<void> {
  const own = readFileSync(new URL('./functions.sql', import.meta.url), 'utf8');
  const all = [own, ...toShardFunctions(await readShards(client), await readAddressShards(client))];
  const digest = createHash('sha256')
    .update(`${schemaVersion}\n${all.join('\n')}`)
    .digest('hex');
  if (await isInPlace(client, digest)) return;
  await transactUnderLock(client, 'putFunctions', async () => {
    // Another node that started at the same time may have installed them.
    if (await isInPlace(client, digest)) return;
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    await client.query(keepFillOutbox);
    for (const text of all) await client.query(text);
    const delegated = await client.query(isDelegated);
    if (delegated.rows.length === 0) await client.query(delegate);
    await client.query(
      `INSERT INTO mayfly.distribution (step, detail) VALUES ('functions', $1)
       ON CONFLICT (step) DO UPDATE SET detail = excluded.detail, done_at = clock_timestamp()`,
      [digest],
    );
  });
}

/** Marks the sessions with endpoints of their own; a single server needs no marks. */
export async function markWebhookSessions(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ keys: Buffer[] }>(
    `SELECT array_agg(DISTINCT session_key) AS keys FROM mayfly.webhook_endpoints WHERE state <> 'closed'
     GROUP BY substr(session_key, 1, 1)`,
  );
  for (const { keys } of rows) {
    await client.query(
      'INSERT INTO mayfly.webhook_sessions (session_key) SELECT unnest($1::bytea[]) ON CONFLICT DO NOTHING',
      [keys],
    );
  }
}

async function isInPlace(client: pg.ClientBase, digest: string): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM mayfly.distribution WHERE step = 'functions' AND detail = $1",
    [digest],
  );
  return rows.length > 0;
}

/** Returns the shards of mayfly.sessions, with the shards of other tables that are colocated with each. */
async function readShards(client: pg.ClientBase): Promise<ShardTables[]> {
  const columns = shardTableNames.map(
    (table) => `max(t.relname || '_' || s.shardid) FILTER (WHERE t.relname = '${table}') AS ${table}`,
  );
  const { rows } = await client.query<ShardTables>(
    `SELECT max(s.shardid) FILTER (WHERE t.relname = 'sessions') AS "shardId", ${columns.join(', ')}
     FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_class t ON t.oid = s.logicalrelid
     WHERE t.relnamespace = 'mayfly'::regnamespace AND t.relname = ANY ($1)
     GROUP BY s.shardminvalue, s.shardmaxvalue ORDER BY 1`,
    [shardTableNames],
  );
  return rows;
}

async function readAddressShards(client: pg.ClientBase): Promise<readonly number[]> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT shardid AS id FROM pg_catalog.pg_dist_shard WHERE logicalrelid = 'mayfly.addresses'::regclass ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}
