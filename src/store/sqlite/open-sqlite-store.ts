// Opens a SQLite file as the ports, with their shared group commit and checkpoint thread. The caller holds the data
// folder's lock.

import { closeSync, openSync, statSync } from 'node:fs';

import type { Database } from '#group-commit/driver';
import type { GroupCommit } from '#group-commit/group-commit';
import { openDatabase, type Syncing } from '#group-commit/open-database';
import type { SessionKey } from '../../domain/session.ts';
import type { OutboxSettings } from '../jobs-store.ts';
import type { SessionQuota } from '../mail-store.ts';
import type { StoreFigures, StoreObserver } from '../store-observer.ts';
import { openSqlStores, type StoreMeasure, type Stores } from '../stores.ts';
import { createAddCleanup } from './gmail-cleanups.ts';
import type { SessionRow, SessionRows } from './rows/session-rows.ts';
import { migrate } from './migrate.ts';
import { openWriter, type WriterParts } from './open-writer.ts';
import { createLiveCopy, removeLeftCopies } from '#group-commit/live-copy';
import { SqliteAttemptStore } from './sqlite-attempt-store.ts';
import { SqliteJobsStore } from './sqlite-jobs-store.ts';
import { SqliteMailStore } from './sqlite-mail-store.ts';
import { SqliteSql } from './sqlite-sql.ts';

export type { Syncing };

export interface SqliteStoreOptions {
  readonly file: string;
  readonly quota: SessionQuota;
  /** `commits` when absent. */
  readonly syncing?: Syncing;
  /** Called when the store is no longer safe to write to (failed fsync, I/O error): the process has to exit. */
  readonly onBroken: (error: Error) => void;
  /** Returns how many deliveries are about to arrive; the group commit waits briefly for them. */
  readonly writesExpected: () => number;
  /** The store's clock, ms since 1970; the system's by default. */
  readonly clock?: () => number;
  /** Called after each commit that may have extended a session's log, to wake its readers. */
  readonly onNews: (key: SessionKey) => void;
  /** Called when a session ends, before the commit: nothing of it may stay decrypted in memory. */
  readonly onEnded: (key: SessionKey) => void;
  /** The receivers of the outbox. */
  readonly outbox: OutboxSettings;
  readonly observer: StoreObserver;
}

/** Without the operator's mailbox, a Maildir beside the file that the composition root opens. */
export interface SqliteStore extends Omit<Stores, 'operatorMailbox'> {
  readFigures(): StoreFigures;
}

/** @throws Error when the file is of a newer version or not one of our databases */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { file, quota, syncing = 'commits', clock = Date.now, onNews, outbox, observer } = options;
  removeLeftCopies(file);
  const database = openMigrated(file, syncing);
  const descriptor = openSync(file, 'r');
  const copy = createLiveCopy(database, file);
  const writer = openWriter({ ...options, syncing, database, descriptor });
  const { commits, sessions, progress } = writer;
  const close = (): Promise<void> => closeAll({ ...writer, database, descriptor });
  const mailParts = {
    database,
    commits,
    progress,
    sessions,
    quota,
    clock,
    onNews,
    copy,
    close,
  };
  return {
    mail: new SqliteMailStore({ ...mailParts, observer }),
    attempts: new SqliteAttemptStore({ database, commits, sessions, clock }),
    jobs: new SqliteJobsStore({ database, commits, sessions, outbox, clock }),
    ...openSmallStores({ database, commits, sessions, clock, onNews }),
    copy,
    shared: undefined,
    isReachable: () => true,
    takesWrites: () => !writer.probe.isRefused,
    now: clock,
    measure: () => Promise.resolve(measure(file, database)),
    readFigures: () => readFigures(file, database, commits),
    close,
  };
}

interface Open extends WriterParts {
  readonly database: Database.Database;
  readonly descriptor: number;
}

async function closeAll({ checkpointer, commits, wal, probe, database, descriptor }: Open): Promise<void> {
  probe.close();
  await checkpointer.close();
  await commits.settle();
  wal.close();
  database.close();
  // Last: closing any descriptor of the file drops the locks of all its connections.
  closeSync(descriptor);
}

function openMigrated(file: string, syncing: Syncing): Database.Database {
  const database = openDatabase(file, syncing);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

interface SmallParts {
  readonly database: Database.Database;
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly clock: () => number;
  readonly onNews: (key: SessionKey) => void;
}

function openSmallStores({ database, commits, sessions, clock, onNews }: SmallParts) {
  const endAll = async (list: () => readonly SessionRow[]): Promise<number> => {
    const ended = await commits.write(() => {
      const live = list();
      const now = clock();
      for (const row of live) sessions.end(row, now);
      return live;
    });
    for (const row of ended) onNews(row.key as SessionKey);
    return ended.length;
  };
  return openSqlStores({
    sql: new SqliteSql({ database, clock, write: (work) => commits.write(work) }),
    domainsBelievedMs: Infinity,
    endSessions: {
      ofDomain: (name) => endAll(() => sessions.listLiveOfDomain(name)),
      ofAccount: (id) => endAll(() => sessions.listLiveOfAccount(id)),
    },
    addCleanup: createAddCleanup(database, commits),
  });
}

function measure(file: string, database: Database.Database): StoreMeasure {
  const version = database.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  const bytes = ['', '-wal', '-shm'].reduce((sum, end) => sum + sizeOf(`${file}${end}`), 0);
  return { engine: 'SQLite', version, bytes };
}

function readFigures(file: string, database: Database.Database, { waiting }: GroupCommit): StoreFigures {
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  return {
    waitingWrites: waiting.count,
    longestWaitMs: performance.now() - waiting.since,
    logBytes: sizeOf(`${file}-wal`),
    databaseBytes: sizeOf(file),
    freeBytes: (database.pragma('freelist_count', { simple: true }) as number) * pageBytes,
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
