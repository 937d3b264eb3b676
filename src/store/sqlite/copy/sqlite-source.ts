// Reads a SQLite store, not in use by a service, in order to copy the installation. Never writes to it. Opened by the
// copy command, which holds the data folder's lock.

import { createHash } from 'node:crypto';

import { messageOf } from '#system-errors/error-message';
import { Database } from '#group-commit/driver';

import {
  batchBytes,
  batchRows,
  type TransferBatch,
  type TransferCounters,
  type TransferCursor,
  TransferRefused,
  type TransferRow,
  type TransferSource,
  type TransferStep,
} from '../../transfer/transfer-rows.ts';
import { isUnreleased, newestOf, unreleasedAdvice } from '../../schema-version.ts';
import { readMigrations } from '../migrate.ts';
import { bucketsQuery, fingerprintQuery, type SourceQuery, sourceQueries } from './source-queries.ts';

export type SqliteStep = Exclude<TransferStep, 'operatorMail'>;

export interface SqliteSource extends Omit<TransferSource, 'readBatch'> {
  readBatch(step: SqliteStep, after: TransferCursor | undefined): TransferBatch;
  close(): void;
}

/** @throws TransferRefused */
export function openSqliteSource(file: string): SqliteSource {
  const database = openSource(file);
  const statements = new Map<SqliteStep, Database.Statement<unknown[], TransferRow>>();
  const prepare = (step: SqliteStep): Database.Statement<unknown[], TransferRow> => {
    const known = statements.get(step) ?? database.prepare(toStatement(sourceQueries[step]));
    statements.set(step, known);
    return known;
  };
  return {
    fingerprint: createHash('sha256')
      .update(String(database.prepare(fingerprintQuery).pluck().get()))
      .digest('hex'),
    listBuckets: () => database.prepare<[], number>(bucketsQuery).pluck().all(),
    readBatch: (step, after) => {
      const { keys, start } = sourceQueries[step];
      const rows: TransferRow[] = [];
      let bytes = 0;
      for (const row of prepare(step).iterate(...(after ?? start))) {
        rows.push(row);
        for (const value of Object.values(row)) bytes += value instanceof Uint8Array ? value.length : 16;
        if (bytes >= batchBytes) break;
      }
      const last = rows.at(-1);
      return { rows, cursor: last && keys.map(([, name]) => last[name] ?? null) };
    },
    readCounters: () => readCounters(database),
    close: () => {
      database.close();
    },
  };
}

function toStatement({ select, condition, keys }: SourceQuery): string {
  const columns = keys.map(([column]) => column).join(', ');
  const places = keys.map(() => '?').join(', ');
  const also = condition === undefined ? '' : ` AND ${condition}`;
  return `${select} WHERE (${columns}) > (${places})${also} ORDER BY ${columns} LIMIT ${batchRows}`;
}

function openSource(file: string): Database.Database {
  let database: Database.Database;
  try {
    database = new Database(file, { fileMustExist: true });
  } catch (error) {
    throw new TransferRefused(`${file} cannot be opened: ${messageOf(error)}`, { cause: error });
  }
  try {
    database.pragma('query_only = ON');
    const schema = database.pragma('user_version', { simple: true }) as number;
    const migrations = readMigrations();
    const newest = newestOf(migrations);
    if (isUnreleased(schema, migrations)) {
      throw new TransferRefused(`${file} has schema ${schema}, ${unreleasedAdvice}`);
    }
    if (schema !== newest) {
      const advice =
        schema < newest
          ? 'start the service on it once with this version'
          : 'it was written by a newer version';
      throw new TransferRefused(`${file} has schema ${schema}, this Mayfly copies ${newest}: ${advice}.`);
    }
    return database;
  } catch (error) {
    database.close();
    if (error instanceof TransferRefused) throw error;
    throw new TransferRefused(`${file} is no store: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the highest ids ever assigned, including those of deleted rows. */
function readCounters(database: Database.Database): TransferCounters {
  const rows = database.prepare<[], { name: string; seq: number }>('SELECT * FROM sqlite_sequence').all();
  const max = (what: string): number =>
    database
      .prepare<[], number>(`SELECT coalesce(max(${what}), 0) FROM ${what.split('.')[0] ?? ''}`)
      .pluck()
      .get() ?? 0;
  return {
    ...Object.fromEntries(rows.map(({ name, seq }) => [name, seq])),
    gmail_mailboxes: max('gmail_mailboxes.id'),
    attempts: max('attempts.number'),
  };
}
