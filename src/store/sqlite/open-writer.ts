// What writes to a SQLite file: the group commit, the threads beside it, and what they must know of one another. Called by
// open-sqlite-store.ts.

import type Database from 'better-sqlite3';

import type { SessionKey } from '../../domain/session.ts';
import type { StoreObserver } from '../store-observer.ts';
import { Checkpointer } from './checkpointer.ts';
import type { CommitProgress } from './commit-progress.ts';
import type { DeliveryThread } from './delivery-thread.ts';
import { GroupCommit } from './group-commit.ts';
import { createHandOver } from './hand-over.ts';
import { walBoundBytes } from './open-database.ts';
import type { OpenEndpoints } from './open-endpoints.ts';
import { SessionReads } from './session-reads.ts';
import type { SessionQuota } from './session-quota.ts';
import { SessionRows } from './session-rows.ts';
import type { SqliteCopy } from './sqlite-copy.ts';
import { WalSync } from './wal-sync.ts';

export interface Writer {
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly progress: CommitProgress;
  readonly checkpointer: Checkpointer;
  /** Undefined without a sealer. */
  readonly thread: DeliveryThread | undefined;
  readonly wal: WalSync;
}

export interface OpenWriterOptions {
  readonly file: string;
  readonly database: Database.Database;
  /** Of the file, for the checkpointer. */
  readonly descriptor: number;
  readonly hasOldWal: boolean;
  readonly copy: SqliteCopy;
  readonly endpoints: OpenEndpoints;
  readonly quota: SessionQuota;
  readonly sealer: URL | undefined;
  readonly onBroken: (error: Error) => void;
  readonly onEnded: (key: SessionKey) => void;
  readonly writesExpected: () => number;
  readonly observer: StoreObserver;
}

export function openWriter(options: OpenWriterOptions): Writer {
  const { file, database, hasOldWal, onBroken, onEnded, writesExpected, observer } = options;
  const checkpointer = new Checkpointer({
    ...{ file, hasOldWal, onBroken, observer, walBoundBytes, descriptor: options.descriptor },
    pageBytes: database.pragma('page_size', { simple: true }) as number,
    onResume: () => {
      commits.flush();
    },
    whenIdle: (callback) => {
      commits.whenHere(callback);
    },
  });
  const progress: CommitProgress = { current: 1, synced: 0 };
  const reads = new SessionReads();
  const sessions = new SessionRows(database, { progress, reads, onEnded, hasDestroyedKeys: hasOldWal });
  const wal = new WalSync(file);
  const onUnavailable = (error: Error): void => {
    observer.onThreadUnavailable(error);
  };
  const { sealer, quota, copy, endpoints } = options;
  const handOver = sealer && createHandOver({ file, sealer, quota, onUnavailable, copy, endpoints, reads });
  const commits = new GroupCommit({
    ...{ database, progress, onBroken, writesExpected, observer, handOver },
    sync: (callback) => {
      wal.sync(callback);
    },
    onRollback: () => {
      sessions.forgetAll();
    },
    afterCommit: () => {
      checkpointer.noteCommit();
    },
    isPaused: () => checkpointer.isPaused,
  });
  return { commits, sessions, progress, checkpointer, thread: handOver?.thread, wal };
}
