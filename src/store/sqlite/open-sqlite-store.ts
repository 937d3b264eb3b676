// Opens a SQLite file as the ports, with the group commit and the checkpoint thread they share. Called by app.ts
// and by tests; the caller holds the data folder's lock.

import { closeSync, openSync, statSync } from 'node:fs';

import type Database from 'better-sqlite3';

import type { SessionKey } from '../../domain/session.ts';
import type { AttemptStore } from '../attempt-store.ts';
import type { BlockStore } from '../block-store.ts';
import type { DirectoryStore } from '../directory-store.ts';
import type { GmailStore } from '../gmail-store.ts';
import type { JobsStore, OutboxSettings } from '../jobs-store.ts';
import type { KeyStore } from '../key-store.ts';
import type { LeaseStore } from '../lease-store.ts';
import type { MailStore } from '../mail-store.ts';
import type { SessionFinder } from '../session-finder.ts';
import type { StoreCopy } from '../store-copy.ts';
import { noObserver, type StoreFigures, type StoreObserver } from '../store-observer.ts';
import { Checkpointer } from './checkpointer.ts';
import { type CommitProgress, GroupCommit } from './group-commit.ts';
import type { SessionQuota } from './message-rows.ts';
import { migrate } from './migrate.ts';
import { openDatabase, walBoundBytes } from './open-database.ts';
import { SessionRows } from './session-rows.ts';
import { createSqliteCopy, removeOldCopy } from './sqlite-copy.ts';
import { SqliteAttemptStore } from './sqlite-attempt-store.ts';
import { SqliteBlockStore } from './sqlite-block-store.ts';
import { SqliteDirectoryStore } from './sqlite-directory-store.ts';
import { SqliteGmailStore } from './sqlite-gmail-store.ts';
import { SqliteJobsStore } from './sqlite-jobs-store.ts';
import { SqliteKeyStore } from './sqlite-key-store.ts';
import { SqliteLeaseStore } from './sqlite-lease-store.ts';
import { SqliteMailStore } from './sqlite-mail-store.ts';
import { SqliteSessionFinder } from './sqlite-session-finder.ts';
import { WalSync } from './wal-sync.ts';

export interface SqliteStoreOptions {
  readonly file: string;
  readonly quota: SessionQuota;
  /** The store can no longer be trusted to take writes (failed fsync, I/O error): the process has to end. */
  readonly onBroken: (error: Error) => void;
  /** How many deliveries are under way and not yet handed over: the group commit waits a moment for them. */
  readonly writesExpected?: () => number;
  /** The store's clock, ms since 1970; the machine's by default. */
  readonly clock?: () => number;
  /** Called after each commit that may have made a session's log longer: readers of it want to be woken. */
  readonly onNews?: (key: SessionKey) => void;
  /** Called when a session ends, before that is committed: nothing of it may stay decrypted in memory. */
  readonly onEnded?: (key: SessionKey) => void;
  /** Whose webhooks the outbox is filled for; nobody's by default. */
  readonly outbox?: OutboxSettings;
  readonly observer?: StoreObserver;
}

const noOutbox: OutboxSettings = { operator: false, sessions: false, rowsPerEndpoint: 0 };

export interface SqliteStore {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly attempts: AttemptStore;
  readonly jobs: JobsStore;
  readonly keys: KeyStore;
  readonly blocks: BlockStore;
  readonly finder: SessionFinder;
  readonly copy: StoreCopy;
  readFigures(): StoreFigures;
  /** Reads an index entry for each: to be called seldom. */
  countLiveSessions(): number;
  readonly gmail: GmailStore;
  readonly leases: LeaseStore;
}

/** @throws Error when the file is of a newer version or not a database of ours. */
export function openSqliteStore({
  file,
  quota,
  onBroken,
  clock = Date.now,
  writesExpected = () => 0,
  onNews = () => undefined,
  onEnded = () => undefined,
  outbox = noOutbox,
  observer = noObserver,
}: SqliteStoreOptions): SqliteStore {
  removeOldCopy(file);
  const hasOldWal = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const database = openMigrated(file);
  const descriptor = openSync(file, 'r');
  const checkpointer = new Checkpointer({
    file,
    descriptor,
    pageBytes: database.pragma('page_size', { simple: true }) as number,
    walBoundBytes,
    hasOldWal,
    observer,
    onResume: () => {
      commits.flush();
    },
    onBroken,
  });
  const progress: CommitProgress = { current: 1, synced: 0 };
  const sessions = new SessionRows(database, { progress, onEnded, hasDestroyedKeys: hasOldWal });
  const wal = new WalSync(file);
  const commits = new GroupCommit({
    database,
    progress,
    sync: (callback) => {
      wal.sync(callback);
    },
    onBroken,
    onRollback: () => {
      sessions.forgetAll();
    },
    afterCommit: () => {
      checkpointer.noteCommit();
    },
    writesExpected,
    isPaused: () => checkpointer.isPaused,
    observer,
  });
  const close = (): Promise<void> => closeAll({ checkpointer, commits, wal, database, descriptor });
  const mailParts = { database, commits, progress, checkpointer, sessions, quota, clock, onNews, close };
  return {
    mail: new SqliteMailStore({ ...mailParts, observer }),
    directory: new SqliteDirectoryStore({ database, commits, sessions, clock }),
    attempts: new SqliteAttemptStore({ database, commits, sessions, clock }),
    jobs: new SqliteJobsStore({ database, commits, sessions, outbox, clock }),
    ...openSmallStores({ database, commits, clock }),
    copy: createSqliteCopy(database, file),
    ...createFigures(file, database, commits),
    gmail: new SqliteGmailStore({ database, commits, sessions, clock, onNews }),
  };
}

interface Open {
  readonly checkpointer: Checkpointer;
  readonly commits: GroupCommit;
  readonly wal: WalSync;
  readonly database: Database.Database;
  readonly descriptor: number;
}

async function closeAll({ checkpointer, commits, wal, database, descriptor }: Open): Promise<void> {
  await checkpointer.close();
  await commits.settle();
  wal.close();
  database.close();
  // Last: closing any descriptor of the file drops the locks of all its connections.
  closeSync(descriptor);
}

function openMigrated(file: string): Database.Database {
  const database = openDatabase(file);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function openSmallStores(
  parts: ConstructorParameters<typeof SqliteKeyStore>[0],
): Pick<SqliteStore, 'keys' | 'blocks' | 'finder' | 'leases'> {
  return {
    keys: new SqliteKeyStore(parts),
    blocks: new SqliteBlockStore(parts),
    finder: new SqliteSessionFinder(parts.database, parts.clock),
    leases: new SqliteLeaseStore(parts),
  };
}

function createFigures(
  file: string,
  database: Database.Database,
  commits: GroupCommit,
): Pick<SqliteStore, 'readFigures' | 'countLiveSessions'> {
  const liveSessions = database
    .prepare<[], number>('SELECT count(*) FROM session_states WHERE ended_at IS NULL')
    .pluck();
  return {
    readFigures: () => readFigures(file, database, commits),
    countLiveSessions: () => liveSessions.get() ?? 0,
  };
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
