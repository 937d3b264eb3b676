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
import type { ShareStore } from '../share-store.ts';
import type { StoreCopy } from '../store-copy.ts';
import { noObserver, type StoreFigures, type StoreObserver } from '../store-observer.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SessionQuota } from './session-quota.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { OpenEndpoints } from './open-endpoints.ts';
import { openWriter, type Writer } from './open-writer.ts';
import { createSqliteCopy, removeLeftCopies } from './sqlite-copy.ts';
import { SqliteAttemptStore } from './sqlite-attempt-store.ts';
import { SqliteBlockStore } from './sqlite-block-store.ts';
import { SqliteDirectoryStore } from './sqlite-directory-store.ts';
import { SqliteGmailStore } from './sqlite-gmail-store.ts';
import { SqliteJobsStore } from './sqlite-jobs-store.ts';
import { SqliteKeyStore } from './sqlite-key-store.ts';
import { SqliteLeaseStore } from './sqlite-lease-store.ts';
import { SqliteMailStore } from './sqlite-mail-store.ts';
import { SqliteShareStore } from './sqlite-share-store.ts';
import { SqliteSessionFinder } from './sqlite-session-finder.ts';

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
  /** Module that seals deliveries (Sealer) in a thread which then writes them when there are many; none without it. */
  readonly sealer?: URL;
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
  readonly shares: ShareStore;
  /** Starts the thread for deliveries, which starts by itself when there are many, and resolves when it is ready. */
  startThread(): Promise<void>;
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
  sealer,
}: SqliteStoreOptions): SqliteStore {
  removeLeftCopies(file);
  const hasOldWal = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const database = openMigrated(file);
  const descriptor = openSync(file, 'r');
  const copy = createSqliteCopy(database, file);
  const endpoints = new OpenEndpoints(database, outbox);
  const writer = openWriter({
    ...{ file, database, descriptor, hasOldWal, copy, endpoints, quota, sealer },
    ...{ onBroken, onEnded, writesExpected, observer },
  });
  const { commits, sessions, progress, checkpointer, thread } = writer;
  const close = (): Promise<void> => closeAll({ ...writer, database, descriptor });
  const mailParts = {
    database,
    commits,
    progress,
    checkpointer,
    sessions,
    quota,
    clock,
    onNews,
    copy,
    close,
  };
  return {
    startThread: async () => {
      await thread?.start();
    },
    mail: new SqliteMailStore({ ...mailParts, observer }),
    directory: new SqliteDirectoryStore({ database, commits, sessions, clock }),
    attempts: new SqliteAttemptStore({ database, commits, sessions, clock }),
    jobs: new SqliteJobsStore({ database, commits, sessions, outbox, endpoints, clock }),
    ...openSmallStores({ database, commits, clock }),
    copy,
    ...createFigures(file, database, commits),
    gmail: new SqliteGmailStore({ database, commits, sessions, clock, onNews }),
  };
}

interface Open extends Writer {
  readonly database: Database.Database;
  readonly descriptor: number;
}

async function closeAll({ checkpointer, commits, thread, wal, database, descriptor }: Open): Promise<void> {
  await checkpointer.close();
  await commits.settle();
  await thread?.close();
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
): Pick<SqliteStore, 'keys' | 'blocks' | 'finder' | 'leases' | 'shares'> {
  return {
    keys: new SqliteKeyStore(parts),
    blocks: new SqliteBlockStore(parts),
    finder: new SqliteSessionFinder(parts.database, parts.clock),
    leases: new SqliteLeaseStore(parts),
    shares: new SqliteShareStore(parts),
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
