// Inspects a copy of the database that no service uses: its integrity, schema version and contents. Called by the
// backup and restore commands in a process of its own.

import { messageOf } from '#system-errors/error-message';
import { Database } from '#group-commit/driver';

import { isUnreleased, newestOf, unreleasedAdvice } from '../../schema-version.ts';
import { readMigrations } from '../migrate.ts';

export interface CheckedCopy {
  readonly schema: number;
  readonly liveSessions: number;
  readonly messages: number;
}

/** @throws Error with one line for the operator when it is damaged or from a newer Mayfly */
export function checkCopy(file: string): CheckedCopy {
  const database = openCopy(file);
  try {
    const problems = database.pragma('integrity_check(3)', { simple: true });
    if (problems !== 'ok') throw new Error(`${file} is damaged: ${String(problems)}`);
    const schema = database.pragma('user_version', { simple: true }) as number;
    const migrations = readMigrations();
    const newest = newestOf(migrations);
    if (isUnreleased(schema, migrations)) {
      throw new Error(`${file} has schema ${schema}, ${unreleasedAdvice}`);
    }
    if (schema === 0 || schema > newest) {
      throw new Error(`${file} has schema ${schema}, this Mayfly knows none newer than ${newest}.`);
    }
    return {
      schema,
      liveSessions: count(database, 'session_states WHERE ended_at IS NULL'),
      messages: count(database, 'messages'),
    };
  } finally {
    database.close();
  }
}

function openCopy(file: string): Database.Database {
  try {
    return new Database(file, { fileMustExist: true });
  } catch (error) {
    throw new Error(`${file} cannot be opened: ${messageOf(error)}`, { cause: error });
  }
}

function count(database: Database.Database, what: string): number {
  return database.prepare<[], number>(`SELECT count(*) FROM ${what}`).pluck().get() ?? 0;
}
