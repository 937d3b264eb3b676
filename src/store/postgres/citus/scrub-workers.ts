// Removes the traces of destroyed data keys from each machine of a Citus cluster. Keys are in small tables, one per
// shard: the machine rewrites each table that held a destroyed key, under a lock for as long as copying its live keys
// takes, then switches and frees its log. `destroyed_keys`, beside the keys, records what is to be erased and is
// cleared last. Called by KeyScrubber.

import type pg from 'pg';

import { withConnection } from '../database/connections.ts';
import { faultKindOf } from '../database/database-fault.ts';
import { outlastOthers, scrubStatementMs } from '../erasing/key-files.ts';

export interface ScrubWorkersOptions {
  /** The coordinator's; workers are reached with the same user, password and database. */
  readonly url: string;
  readonly onWarning: (warning: string) => void;
}

interface Machine {
  readonly host: string;
  readonly port: number;
}

interface OwedKeys {
  readonly keys: readonly Buffer[];
  /** Machines that hold keys. */
  readonly machines: readonly Machine[];
}

const keysAtOnce = 10_000;
const insufficientPrivilege = '42501';
/** The longest that a look-up waits while a shard's file is rewritten. */
const lockTimeoutMs = 100;
const lockTries = 20;

/** Returns the URL with another machine's host and port. */
export function toMachineUrl(url: string, { host, port }: Machine): string {
  const there = new URL(url);
  there.hostname = host;
  there.port = String(port);
  return there.href;
}

/** Returns KeyScrubber's `clean`. Warns once about each missing privilege. */
export function createScrubWorkers({
  url,
  onWarning,
}: ScrubWorkersOptions): (coordinator: pg.Client) => Promise<boolean> {
  let isRefused = false;
  const freeLog = async (client: pg.Client): Promise<void> => {
    if (isRefused) return;
    try {
      await client.query('SELECT pg_switch_wal()');
      await client.query('CHECKPOINT');
    } catch (error) {
      if ((error as { code?: unknown }).code !== insufficientPrivilege) throw error;
      isRefused = true;
      onWarning('The database’s user may not switch the log on a worker: destroyed keys stay in it longer.');
    }
  };
  return async (coordinator) => {
    const { keys, machines } = await readOwed(coordinator);
    if (keys.length === 0) return true;
    for (const machine of machines) {
      const clean = async (client: pg.Client): Promise<boolean> => {
        if (!(await outlastOthers(client))) return false;
        if (!(await rewriteAll(client))) return false;
        await freeLog(client);
        return true;
      };
      const isClean = await withConnection(toMachineUrl(url, machine), clean, scrubStatementMs);
      if (!isClean) return false;
    }
    await coordinator.query('DELETE FROM mayfly.destroyed_keys WHERE session_key = ANY ($1::bytea[])', [
      keys,
    ]);
    return keys.length < keysAtOnce;
  };
}

async function readOwed(client: pg.Client): Promise<OwedKeys> {
  const { rows } = await client.query<{ key: Buffer }>(
    `SELECT session_key AS key FROM mayfly.destroyed_keys LIMIT ${keysAtOnce}`,
  );
  if (rows.length === 0) return { keys: [], machines: [] };
  const machines = await client.query<Machine>(
    `SELECT DISTINCT n.nodename AS host, n.nodeport AS port
     FROM pg_catalog.pg_dist_node n JOIN pg_catalog.pg_dist_placement p ON p.groupid = n.groupid
     JOIN pg_catalog.pg_dist_shard s USING (shardid)
     WHERE n.noderole = 'primary' AND s.logicalrelid = 'mayfly.data_keys'::regclass ORDER BY 1, 2`,
  );
  return { keys: rows.map(({ key }) => key), machines: machines.rows };
}

interface KeyFile {
  readonly name: string;
  /** The partitioned table: a column's type is changed there. */
  readonly whole: string;
  /** Whether the shard was moved here, in which case its column statistics may contain copies of keys. */
  readonly is_counted: boolean;
}

/** Rewrites every key file on this machine; false when one stays locked. */
async function rewriteAll(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<KeyFile>(
    `SELECT f.name, coalesce(i.inhparent::regclass::text, f.name) AS whole, a.attstattarget <> 0 AS is_counted
     FROM (
       SELECT 'mayfly.' || quote_ident(t.relname || '_' || s.shardid) AS name
       FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_class t ON t.oid = s.logicalrelid
       JOIN pg_catalog.pg_dist_placement p USING (shardid)
       WHERE t.relname IN ('data_keys_0', 'data_keys_1') AND t.relnamespace = 'mayfly'::regnamespace
         AND p.groupid = (SELECT groupid FROM pg_catalog.pg_dist_local_group)
     ) AS f JOIN pg_catalog.pg_attribute a ON a.attrelid = to_regclass(f.name) AND a.attname = 'data_key'
     LEFT JOIN pg_catalog.pg_inherits i ON i.inhrelid = a.attrelid
     ORDER BY 1`,
  );
  await client.query(`SET lock_timeout = '${lockTimeoutMs}ms'`);
  for (const { name, whole, is_counted: isCounted } of rows) {
    // Setting a column's type, even to the same, discards its statistics.
    const forget =
      `ALTER TABLE ${whole} ALTER COLUMN data_key TYPE bytea, ALTER COLUMN data_key SET STATISTICS 0, ` +
      'ALTER COLUMN data_key SET STORAGE PLAIN';
    if (isCounted && !(await runSoon(client, forget))) return false;
    if (!(await runSoon(client, `VACUUM (FULL) ${name}`))) return false;
  }
  const isAnyCounted = rows.some(({ is_counted: isCounted }) => isCounted);
  return !isAnyCounted || runSoon(client, 'VACUUM (FULL) pg_catalog.pg_statistic');
}

/** Returns false when the lock was not acquired. */
async function runSoon(client: pg.Client, statement: string): Promise<boolean> {
  for (let attempt = 0; attempt < lockTries; attempt++) {
    try {
      await client.query(statement);
      return true;
    } catch (error) {
      if (faultKindOf(error) !== 'busy') throw error;
    }
  }
  return false;
}
