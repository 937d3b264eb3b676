// `mayfly postgres distribute`: distributes a schema, empty or full, over the workers of a Citus cluster. Each table is
// one transaction and finished steps are skipped, so that an interrupted run can simply be repeated. No node may serve
// the database meanwhile, and none starts until it has finished. Called by cli/.

import type pg from 'pg';

import { withConnection } from '#postgres/connections';
import { newestOf } from '../../schema-version.ts';
import { tryLock } from '../database/advisory-lock.ts';
import { checkDatabase } from '../database/check-database.ts';
import { migrate, readMigrations, readVersion } from '../database/migrate.ts';
import { type PlacedTable, placedTables, readClusterFunctions, readDistribution } from './distribution.ts';

export interface DistributeOptions {
  /** The coordinator's, not through a pooler. */
  readonly url: string;
  /** Shards per table: the most machines its rows can be spread over. */
  readonly shards: number;
  /** Changes nothing; reports what there is to do. */
  readonly isCheck: boolean;
  readonly say: (line: string) => void;
}

/** An obstacle to the distribution. `message` is for the operator. */
export class DistributeRefused extends Error {
  override readonly name = 'DistributeRefused';
}

const oldestCitus = 12;
/** Moving a table takes as long as it is large. */
const unlimited = 0;

/** Returns the number of steps done or, with `isCheck`, still to be done. @throws DistributeRefused, or errors of pg */
export function distribute(options: DistributeOptions): Promise<number> {
  const work = async (client: pg.Client): Promise<number> => {
    await checkDatabase(client);
    await checkCluster(client, options.say);
    if (!(await tryLock(client, 'distribute'))) {
      throw new DistributeRefused('Another `mayfly postgres distribute` is running.');
    }
    return options.isCheck ? check(client, options) : run(client, options);
  };
  return withConnection(options.url, work, unlimited);
}

async function run(client: pg.Client, { shards, say }: DistributeOptions): Promise<number> {
  await refuseNodes(client);
  await refuseHalfSchema(client);
  const applied = await migrate(client);
  if (applied > 0) say(`Schema: brought up to date, ${applied} migrations.`);
  const missing = await findMissing(client);
  const before = await readDistribution(client);
  if (before !== 'finished') {
    await client.query("INSERT INTO mayfly.distribution (step) VALUES ('begun') ON CONFLICT DO NOTHING");
    // A backup contains the progress of its own database.
    await client.query("DELETE FROM mayfly.distribution WHERE step <> 'begun'");
    await client.query('DELETE FROM mayfly.functions');
  }
  if (before === 'begun') say('Resuming where an earlier run was interrupted.');
  await client.query(`SET citus.shard_count = ${shards}`);
  for (const table of missing) say(await place(client, table));
  await emptyLocal(client, say);
  await migrate(client, { functions: readClusterFunctions });
  await settlePartitions(client);
  if (before !== 'finished') {
    await client.query("INSERT INTO mayfly.distribution (step) VALUES ('finished')");
  }
  await printPlacement(client, say);
  say(
    missing.length === 0 && before === 'finished' ? 'The database was distributed already.' : 'Distributed.',
  );
  return missing.length;
}

async function check(client: pg.Client, { shards, say }: DistributeOptions): Promise<number> {
  await refuseHalfSchema(client);
  const version = await readVersion(client);
  const newest = newestOf(readMigrations());
  if (version < newest) say(`Schema: version ${version} would be brought to ${newest}.`);
  const missing = version === 0 ? placedTables : await findMissing(client);
  for (const { table, column } of missing) {
    say(
      column === undefined
        ? `${table}: would be copied to every machine.`
        : `${table}: would be spread over ${shards} shards.`,
    );
  }
  const state = await readDistribution(client);
  const isDone = missing.length === 0 && state === 'finished';
  if (isDone) await printPlacement(client, say);
  say(isDone ? 'The database is distributed.' : 'The database is not distributed yet.');
  return isDone ? 0 : Math.max(1, missing.length);
}

/** @throws DistributeRefused */
async function checkCluster(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows: extensions } = await client.query<{ version: string }>(
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  const [citus] = extensions;
  if (!citus) {
    throw new DistributeRefused(
      'The database has no extension citus: CREATE EXTENSION citus on each machine, then citus_add_node for each worker.',
    );
  }
  if (Number.parseInt(citus.version, 10) < oldestCitus) {
    throw new DistributeRefused(`Citus ${citus.version} is too old: ${oldestCitus} or newer is needed.`);
  }
  const { rows: groups } = await client.query<{ id: number }>(
    'SELECT groupid AS id FROM pg_catalog.pg_dist_local_group',
  );
  if (groups[0]?.id !== 0) {
    throw new DistributeRefused('This is a worker: give the URL of the coordinator.');
  }
  const { rows: workers } = await client.query(
    "SELECT 1 FROM pg_catalog.pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary'",
  );
  if (workers.length === 0) {
    throw new DistributeRefused(
      'No machine of the cluster may hold shards: add workers with citus_add_node.',
    );
  }
  await checkMachines(client, say);
}

/** @throws DistributeRefused */
async function checkMachines(client: pg.Client, say: (line: string) => void): Promise<void> {
  const ask = async (
    setting: string,
  ): Promise<readonly { machine: string; success: boolean; result: string }[]> => {
    const { rows } = await client.query<{ machine: string; success: boolean; result: string }>(
      `SELECT n.nodename || ':' || n.nodeport AS machine, r.success, r.result
       FROM run_command_on_all_nodes($1) r JOIN pg_catalog.pg_dist_node n ON n.nodeid = r.nodeid ORDER BY 1`,
      [`SHOW ${setting}`],
    );
    return rows;
  };
  for (const { machine, success, result } of await ask('max_prepared_transactions')) {
    if (!success) throw new DistributeRefused(`${machine} does not answer: ${result}`);
    if (result === '0') {
      throw new DistributeRefused(
        `max_prepared_transactions is 0 on ${machine}: set it to max_connections, since lending an address is a ` +
          'transaction of two machines.',
      );
    }
  }
  for (const { machine, result } of await ask('synchronous_commit')) {
    if (result === 'off') {
      throw new DistributeRefused(
        `synchronous_commit is off on ${machine}: acknowledged mail would be lost in a crash.`,
      );
    }
  }
  for (const { machine, result } of await ask('wal_level')) {
    if (result !== 'logical') {
      say(
        `wal_level is ${result} on ${machine}: shards can be moved only while nothing is written (block_writes).`,
      );
    }
  }
}

/** @throws DistributeRefused while a node serves the database */
async function refuseNodes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE application_name = 'mayfly' AND datname = current_database() AND pid <> pg_backend_pid()`,
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0) {
    throw new DistributeRefused(
      `Mayfly is connected to the database (${count} connections): stop every node first.`,
    );
  }
}

/** @throws DistributeRefused when tables were distributed differently */
async function refuseHalfSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string | null }>(
    `SELECT c.relname AS name, column_to_column_name(p.logicalrelid, p.partkey) AS column
     FROM pg_catalog.pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'mayfly' AND NOT c.relispartition`,
  );
  for (const { name, column } of rows) {
    const planned = placedTables.find(({ table }) => table === name);
    if (planned && (planned.column ?? null) === column) continue;
    throw new DistributeRefused(
      `mayfly.${name} is distributed${column === null ? '' : ` by ${column}`} already, and not as Mayfly needs it: ` +
        `undo that with undistribute_table('mayfly.${name}').`,
    );
  }
}

/** Returns the tables that are not distributed yet. */
async function findMissing(client: pg.Client): Promise<readonly PlacedTable[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_catalog.pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'mayfly'`,
  );
  return placedTables.filter(({ table }) => !rows.some(({ name }) => name === table));
}

/** Distributes one table and returns a line that says so. */
async function place(client: pg.Client, { table, column, beside }: PlacedTable): Promise<string> {
  const name = `mayfly.${table}`;
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${name}`);
  const count = rows[0]?.count ?? 0;
  if (column === undefined) {
    await widenIdentities(client, name);
    await client.query('SELECT create_reference_table($1)', [name]);
    return `${table}: copied to every machine, ${count} rows.`;
  }
  const other = beside === undefined ? 'none' : `mayfly.${beside}`;
  await client.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [name, column, other]);
  return `${table}: spread by ${column}, ${count} rows.`;
}

/** Citus accepts only 64-bit identity columns. */
async function widenIdentities(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(attname) AS name FROM pg_catalog.pg_attribute
     WHERE attrelid = $1::regclass AND attidentity <> '' AND atttypid <> 'bigint'::regtype`,
    [table],
  );
  for (const { name } of rows) {
    await client.query(`ALTER TABLE ${table} ALTER COLUMN ${name} TYPE bigint`);
  }
}

/** Earlier rows are still on the coordinator's disk, sealed mail and keys among them. */
async function emptyLocal(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_catalog.pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'mayfly' AND c.relkind = 'r' AND pg_relation_size(c.oid) > 0`,
  );
  for (const { name } of rows) {
    await client.query('SELECT truncate_local_data_after_distributing_table($1)', [name]);
  }
  if (rows.length > 0) {
    say(`The coordinator’s own copies of ${rows.length} tables were removed from its files.`);
  }
}

/** Shards lose the storage and statistics settings of columns when they are created, and when they move. */
async function settlePartitions(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT mayfly.settle_shards(c.oid) FROM pg_catalog.pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
     WHERE c.relnamespace = 'mayfly'::regnamespace AND c.relispartition`,
  );
}

async function printPlacement(client: pg.Client, say: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ machine: string; count: number }>(
    `SELECT n.nodename || ':' || n.nodeport AS machine, count(*)::int AS count
     FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_dist_placement p USING (shardid)
     JOIN pg_catalog.pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
     WHERE s.logicalrelid = 'mayfly.sessions'::regclass GROUP BY 1 ORDER BY 1`,
  );
  for (const { machine, count } of rows) say(`${machine}: ${count} shards of sessions.`);
}
