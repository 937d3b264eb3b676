// Sets up a group commit on a database in memory, and what fails in it, for tests.

import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

import { codeOf } from '../../system-errors/src/error-code.ts';
import { noObserver } from '../../../src/store/store-observer.ts';
import { GroupCommit, type GroupCommitOptions } from '../src/group-commit.ts';

export function openRows(): Database.Database {
  const database = new Database(':memory:');
  onTestFinished(() => {
    database.close();
  });
  database.exec('CREATE TABLE rows (value TEXT NOT NULL) STRICT');
  return database;
}

/** The database, but one statement throws. */
export function failAt(database: Database.Database, sql: string, error: Error): Database.Database {
  return new Proxy(database, {
    get(target, name) {
      const fail = (): never => {
        throw error;
      };
      if (name === 'prepare') return (text: string) => (text === sql ? { run: fail } : target.prepare(text));
      if (name === 'exec') return (text: string) => (text === sql ? fail() : target.exec(text));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

export function ioError(): Error {
  return Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
}

const isFull = (error: unknown): boolean => codeOf(error) === 'SQLITE_FULL';

export function setUp(given: Partial<GroupCommitOptions> = {}) {
  const database = openRows();
  const seen = { commits: 0, broken: [] as Error[] };
  const commits = new GroupCommit({
    observer: noObserver,
    progress: { current: 1, synced: 0 },
    sync: (callback) => setImmediate(callback, null),
    onRollback: () => undefined,
    database,
    faults: {
      isRefused: isFull,
      toCallersError: (cause) =>
        isFull(cause) ? Object.assign(new Error('full', { cause }), { code: 'unavailable' }) : cause,
    },
    onBroken: (error) => seen.broken.push(error),
    afterCommit: () => {
      seen.commits += 1;
    },
    writesExpected: () => 0,
    isPaused: () => false,
    ...given,
  });
  const insert = (value: string) => (): string => {
    database.prepare('INSERT INTO rows VALUES (?)').run(value);
    return value;
  };
  const values = (): unknown[] => database.prepare('SELECT value FROM rows').pluck().all();
  return { database, commits, seen, insert, values };
}

export function failing(database: Database.Database): () => never {
  return () => {
    database.prepare('INSERT INTO rows VALUES (?)').run('half');
    throw new Error('poisoned');
  };
}
