// Receives an installation from another store: rows in batches, each committed together with its position, so that an
// interrupted copy resumes. Opened by the copy command. No node serves the database meanwhile.

import { setTimeout as delay } from 'node:timers/promises';

import type pg from 'pg';

import { toByteaArray } from '#postgres/binary-array';
import { connectAlone } from '#postgres/connections';
import {
  formatCursor,
  parseCursor,
  type StepProgress,
  type TransferBatch,
  type TransferCounters,
  TransferRefused,
  type TransferRow,
  type TransferStep,
  type TransferTarget,
  type TransferValue,
} from '../../transfer/transfer-rows.ts';
import { tryLock } from '../database/advisory-lock.ts';
import { checkDatabase } from '../database/check-database.ts';
import { type ColumnKind, type CopyTable, copyTables, countedTables } from './copy-tables.ts';
import { prepareSchema } from '../prepare-schema.ts';

export interface CopyTarget extends TransferTarget {
  /** When an earlier run finished the copy; if set, there is nothing left to do. */
  readonly finishedAt: Date | undefined;
  close(): Promise<void>;
}

/** Tables in which a row means that the database is in use. */
const usedTables =
  'domains sessions addresses api_keys blocks inbound_routes gmail_mailboxes outbox operator_messages leases'.split(
    ' ',
  );
/** The time a server needs to notice that an earlier run was killed. */
const lockPatienceMs = 20_000;

/** @throws TransferRefused, NewerSchemaError, UnfitDatabaseError, or errors of pg when it cannot connect */
export async function openCopyTarget(url: string, fingerprint: string): Promise<CopyTarget> {
  const client = await connectAlone(url);
  try {
    await checkDatabase(client);
    await refuseForeignSchema(client);
    await takeLock(client);
    await prepareSchema(client);
    const finishedAt = await beginCopy(client, fingerprint);
    const progress = await readProgress(client);
    return {
      finishedAt,
      progressOf: (step) => progress.get(step),
      makeBuckets: async (buckets) => {
        for (const bucket of buckets) await client.query('SELECT mayfly.make_bucket($1)', [bucket]);
      },
      writeBatch: (step, batch) => writeBatch(client, step, batch),
      finish: async (counters) => {
        await markWebhookSessions(client);
        await finish(client, counters);
      },
      close: () => client.end(),
    };
  } catch (error) {
    // The connection itself may have failed.
    await Promise.allSettled([client.end()]);
    throw error;
  }
}

async function refuseForeignSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'mayfly' AND to_regclass('mayfly.migrations') IS NULL LIMIT 1`,
  );
  if (rows.length > 0) {
    throw new TransferRefused('The target has a schema `mayfly` that does not belong to Mayfly.');
  }
}

async function takeLock(client: pg.Client): Promise<void> {
  for (const deadline = performance.now() + lockPatienceMs; ; await delay(200)) {
    if (await tryLock(client, 'copy')) return;
    if (performance.now() > deadline) throw new TransferRefused('Another copy into the target is under way.');
  }
}

/** Returns when an earlier run finished. @throws TransferRefused when the target is in use or holds another copy */
async function beginCopy(client: pg.Client, fingerprint: string): Promise<Date | undefined> {
  const { rows } = await client.query<{ source: string; finished_at: Date | null }>(
    'SELECT source, finished_at FROM mayfly.copies',
  );
  const [before] = rows;
  if (before?.source === fingerprint) return before.finished_at ?? undefined;
  if (before && before.finished_at === null) {
    throw new TransferRefused(
      'The target holds the beginning of a copy from another source, or the source was used since: ' +
        'drop the schema `mayfly` there and start over.',
    );
  }
  const looks = usedTables.map((table) => `EXISTS (SELECT 1 FROM mayfly.${table})`).join(' OR ');
  const found = await client.query<{ is_used: boolean }>(`SELECT ${looks} AS is_used`);
  if (before || found.rows[0]?.is_used) {
    throw new TransferRefused('The target is in use already: nothing there is overwritten or mixed.');
  }
  await client.query('INSERT INTO mayfly.copies (source) VALUES ($1)', [fingerprint]);
  return undefined;
}

async function readProgress(client: pg.Client): Promise<ReadonlyMap<string, StepProgress>> {
  const { rows } = await client.query<{ step: string; rows: number; cursor: string }>(
    'SELECT step, rows, cursor FROM mayfly.copy_steps',
  );
  return new Map(rows.map((row) => [row.step, { rows: row.rows, cursor: parseCursor(row.cursor) }] as const));
}

async function writeBatch(
  client: pg.Client,
  step: TransferStep,
  { rows, cursor }: TransferBatch,
): Promise<void> {
  await client.query('BEGIN');
  // A crash only repeats copying: only the last commit must be on disk before it counts.
  await client.query('SET LOCAL synchronous_commit = off');
  for (const table of copyTables[step]) await insertRows(client, table, rows);
  await client.query(
    `INSERT INTO mayfly.copy_steps AS s (step, rows, cursor) VALUES ($1, $2, $3)
     ON CONFLICT (step) DO UPDATE SET rows = s.rows + excluded.rows, cursor = excluded.cursor`,
    [step, rows.length, formatCursor(cursor ?? [])],
  );
  await client.query('COMMIT');
}

async function insertRows(
  client: pg.Client,
  { table, columns, isFirstOnly }: CopyTable,
  all: readonly TransferRow[],
): Promise<void> {
  const rows = isFirstOnly ? all.filter(({ number }) => number === 0) : all;
  const names = columns.map(([column]) => column).join(', ');
  const arrays = columns.map(([, kind], at) => `$${at + 1}::${toType(kind)}[]`).join(', ');
  // On a Citus cluster a worker may have committed a batch without the coordinator learning of it.
  const text =
    `INSERT INTO mayfly.${table} (${names}) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(${arrays}) ` +
    'ON CONFLICT DO NOTHING';
  const values = columns.map(([column, kind, from = column]) =>
    toArray(
      kind,
      rows.map((row) => row[from] ?? null),
    ),
  );
  await client.query({ name: `mayfly_copy_${table}`, text, values });
}

function toType(kind: ColumnKind): string {
  return kind === 'utf8' ? 'bytea' : kind;
}

function toArray(kind: ColumnKind, values: readonly TransferValue[]): unknown {
  switch (kind) {
    case 'bytea':
      return toByteaArray(values as readonly (Uint8Array | null)[]);
    case 'utf8':
      return toByteaArray(values.map((value) => (value === null ? null : Buffer.from(String(value)))));
    case 'boolean':
      return values.map((value) => value !== null && value !== 0);
    case 'text':
      // PostgreSQL text cannot contain NUL.
      return values.map((value) => (value === null ? null : String(value).replaceAll('\0', ' ')));
    case 'bigint':
    case 'integer':
      return [...values];
  }
}

/** Marks the sessions with endpoints of their own. */
async function markWebhookSessions(client: pg.Client): Promise<void> {
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

async function finish(client: pg.Client, counters: TransferCounters): Promise<void> {
  for (const table of countedTables) {
    const last = counters[table] ?? 0;
    if (last > 0) await client.query(`SELECT setval('mayfly.${table}_id_seq', $1)`, [last]);
  }
  if (counters['attempts']) {
    await client.query(`SELECT setval('mayfly.attempt_numbers', $1)`, [counters['attempts']]);
  }
  await client.query(
    `SELECT setval('mayfly.operator_messages_id_seq', max(id)) FROM mayfly.operator_messages HAVING count(*) > 0`,
  );
  await client.query('ANALYZE mayfly.sessions, mayfly.addresses, mayfly.messages, mayfly.chunks');
  await client.query('BEGIN');
  await client.query(
    `UPDATE mayfly.operator_mailbox SET messages = (SELECT count(*) FROM mayfly.operator_messages),
       bytes = (SELECT coalesce(sum(size_bytes), 0) FROM mayfly.operator_messages)`,
  );
  await client.query('UPDATE mayfly.copies SET finished_at = clock_timestamp()');
  await client.query('COMMIT');
}
