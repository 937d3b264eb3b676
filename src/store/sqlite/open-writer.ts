// Assembles what writes to a SQLite file: the group commit, the checkpointer, and the cached sessions that both must
// keep consistent. Called by open-sqlite-store.ts.

import type { Database } from '#group-commit/driver';
import { Checkpointer } from '#group-commit/checkpointer';
import { GroupCommit } from '#group-commit/group-commit';
import { type CommitProgress, WalSync } from '#group-commit/writer';
import { writeHeader, WriteProbe } from '#group-commit/write-probe';
import { type Syncing, walBoundBytes } from '#group-commit/open-database';
import { isRefusedWrite, toWriteError } from '../../domain/refused-write.ts';
import type { SessionKey } from '../../domain/session.ts';
import type { StoreObserver } from '../store-observer.ts';
import { SessionRows } from './rows/session-rows.ts';

const faults = { isRefused: isRefusedWrite, toCallersError: toWriteError };

export interface WriterParts {
  readonly commits: GroupCommit;
  readonly sessions: SessionRows;
  readonly progress: CommitProgress;
  readonly checkpointer: Checkpointer;
  readonly wal: WalSync;
  readonly probe: WriteProbe;
}

export interface OpenWriterOptions {
  readonly file: string;
  readonly database: Database.Database;
  readonly syncing: Syncing;
  /** The file's descriptor, for the checkpointer. */
  readonly descriptor: number;
  readonly onBroken: (error: Error) => void;
  readonly onEnded: (key: SessionKey) => void;
  readonly writesExpected: () => number;
  readonly observer: StoreObserver;
}

export function openWriter(options: OpenWriterOptions): WriterParts {
  const { file, database, syncing, onBroken, onEnded, writesExpected, observer } = options;
  const checkpointer = new Checkpointer({
    file,
    syncing,
    onBroken,
    faults,
    observer,
    walBoundBytes,
    descriptor: options.descriptor,
    pageBytes: database.pragma('page_size', { simple: true }) as number,
    onResume: () => {
      commits.flush();
    },
  });
  const progress: CommitProgress = { current: 1, synced: 0 };
  const sessions = new SessionRows(database, { progress, onEnded });
  const wal = new WalSync(file, syncing);
  const commits = new GroupCommit({
    database,
    progress,
    onBroken,
    faults,
    writesExpected,
    observer: {
      ...observer,
      onWriteRefused: (error) => {
        observer.onWriteRefused(error);
        probe.recordRefusal();
      },
    },
    sync: (callback) => {
      wal.sync(callback);
    },
    onRollback: () => {
      sessions.forgetAll();
    },
    afterCommit: () => {
      checkpointer.recordCommit();
    },
    isPaused: () => checkpointer.isPaused,
  });
  const probe = new WriteProbe(() => writeHeader(database, commits), faults);
  return { commits, sessions, progress, checkpointer, wal, probe };
}
