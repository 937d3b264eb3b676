// Reads the facts about a database that a backup records, and performs the checks of a restore, on a separate
// connection. Called by the CLI's backup and restore commands while none of their stores is open.

import type pg from 'pg';

import { withConnection } from '#postgres/connections';
import { readVersion } from './migrate.ts';

export interface DatabaseFacts {
  /** 0 if the database has no schema of ours. */
  readonly schema: number;
  readonly liveSessions: number;
  readonly messages: number;
}

/** Counting takes as long as the database is large. */
const countMs = 3_600_000;

export function readDatabaseFacts(url: string): Promise<DatabaseFacts> {
  return withConnection(url, readFacts, countMs);
}

/**
 * Has `work` read the database as it is at this moment, under the name of a snapshot (pg_dump --snapshot), and counts
 * in the same one.
 */
export function withSnapshot(
  url: string,
  work: (snapshot: string, schema: number) => Promise<void>,
): Promise<DatabaseFacts> {
  const read = async (client: pg.Client): Promise<DatabaseFacts> => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // It waits as long as the dump takes.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query<{ name: string }>('SELECT pg_export_snapshot() AS name');
    const facts = await readFacts(client);
    await work(rows[0]?.name ?? '', facts.schema);
    return facts;
  };
  return withConnection(url, read, countMs);
}

async function readFacts(client: pg.Client): Promise<DatabaseFacts> {
  const schema = await readVersion(client);
  if (schema === 0) return { schema, liveSessions: 0, messages: 0 };
  return {
    schema,
    liveSessions: await count(client, 'mayfly.sessions WHERE ended_at IS NULL'),
    messages: await count(client, 'mayfly.messages'),
  };
}

async function count(client: pg.Client, what: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${what}`);
  return rows[0]?.count ?? 0;
}
