// The placement of the schema on the machines of a Citus cluster, and its state. The rows of a session lie on the
// shard of its key, addresses on shards of their own; what every machine reads is replicated to all; what only nodes
// read and write, such as the outbox and the Gmail accounts, stays on the coordinator. Used by distribute.ts and
// prepare-schema.ts.

import type pg from 'pg';

import { readFunctions } from '../database/put-functions.ts';
import { type ShardTables, shardTableNames, toShardFunctions } from './shard-functions.ts';

export interface PlacedTable {
  readonly table: string;
  /** The distribution column; none if every machine has all rows. */
  readonly column?: string;
  /** The table whose shards it is colocated with. */
  readonly beside?: string;
}

const sessionTables = [
  ...['messages', 'chunks', 'notes', 'events', 'attempts', 'origins', 'garbage'],
  ...['outbox_news', 'webhook_sessions'],
];

/** In order of distribution. */
export const placedTables: readonly PlacedTable[] = [
  ...['domains', 'buckets', 'api_keys', 'passkeys', 'blocks'].map((table) => ({ table })),
  { table: 'addresses', column: 'address_key' },
  { table: 'sessions', column: 'key' },
  ...sessionTables.map((table) => ({ table, column: 'session_key', beside: 'sessions' })),
];

/** `begun`: interrupted, so rows may be in either place. */
type Distribution = 'none' | 'begun' | 'finished';

/** A schema restored from a backup has to be distributed again. */
export async function readDistribution(client: pg.ClientBase): Promise<Distribution> {
  const { rows: tables } = await client.query(
    "SELECT 1 WHERE to_regclass('mayfly.distribution') IS NOT NULL",
  );
  if (tables.length === 0) return 'none';
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

const delegate = `SELECT create_distributed_function(oid::regprocedure, 'p_key', colocate_with => 'mayfly.sessions')
  FROM pg_catalog.pg_proc
  WHERE proname = 'deliver_here' AND pronamespace = 'mayfly'::regnamespace AND oid NOT IN (
    SELECT objid FROM pg_catalog.pg_dist_object WHERE distribution_argument_index IS NOT NULL
  )`;

/** Returns the texts of all functions that the distributed schema needs. */
export async function readClusterFunctions(client: pg.ClientBase): Promise<readonly string[]> {
  const ofShards = toShardFunctions(await readShards(client), await readAddressShards(client));
  return [...readFunctions('citus'), ...ofShards, delegate];
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
