// Writes to the SQLite file: one transaction for a group of writes, followed by the sync that makes it durable. No
// write is answered before that sync has ended, except loose ones. When a write throws, the group is rolled back and
// each write is retried alone. Driven by group-commit.ts; nothing else writes to the file.

import { closeSync, fdatasync, openSync } from 'node:fs';

import { codeOf } from '../../system-errors/src/error-code.ts';
import type { Database } from './driver.mjs';
import type { Syncing } from './open-database.ts';

/** Reports about the work. Called on the path of every commit, so the methods must be quick and must not throw. */
export interface CommitObserver {
  /** `writes` shared the commit and its sync. Loose ones are not reported. */
  onCommit(seconds: number, writes: number): void;
  /** A commit failed; its writes are tried one by one. */
  onRollback(): void;
  /** The disk refused a write, and nothing of it is stored. */
  onWriteRefused(error: Error): void;
}

/** Tells a disk that is full, or takes no writes for another reason, from one that lost what it took. */
export interface WriteFaults {
  /** Reports whether the file system or SQLite refused a write: nothing was stored, and a later try may succeed. */
  isRefused(error: unknown): boolean;
  /** Returns the error for the caller of a write. */
  toCallersError(error: unknown): unknown;
}

/** A write that waits for its commit. */
export interface Write {
  /** Runs in a transaction, possibly twice, so it must affect nothing but the database. */
  work(): unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** The progress of commits. Readers must not report what a power cut could still undo. */
export interface CommitProgress {
  /** The number of the current or next commit. */
  current: number;
  /** Every commit up to this number is on disk. */
  synced: number;
}

export interface WriterOptions {
  readonly database: Database.Database;
  readonly progress: CommitProgress;
  /** Syncs every commit made so far; nothing else makes them durable. */
  readonly sync: (callback: (error: Error | null) => void) => void;
  /** Called after each sync: the next group may be written. */
  readonly onSynced: () => void;
  /** Called once when a commit failed in a way that forbids further writes to the file (fsync, I/O). */
  readonly onBroken: (error: Error) => void;
  /** Called after each rollback: what was read in the transaction is invalid. */
  readonly onRollback: () => void;
  /** Called after each commit, before it is on disk. */
  readonly afterCommit: () => void;
  readonly faults: WriteFaults;
  readonly observer: CommitObserver;
}

/** A commit whose answers wait for the sync. */
interface Committed {
  /** Empty for loose writes. */
  readonly group: readonly Write[];
  /** The result of each write of the group. */
  readonly values: readonly unknown[];
  readonly startedAt: number;
}

/** A reader or a close waiting for a commit to be on disk. */
interface SyncWaiter {
  readonly commit: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Whether writes are answered once they are on disk, or once they are committed. */
type Durability = 'synced' | 'loose';

export class Writer {
  readonly #options: WriterOptions;
  readonly #observer: CommitObserver;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  /** Commits not covered by a sync in progress. */
  #unsynced: Committed[] = [];
  #waiters: SyncWaiter[] = [];
  #isSyncing = false;
  /** Whether someone waits for a commit that is not covered by a sync in progress. */
  #isSyncWanted = false;
  #broken: Error | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#observer = options.observer;
    this.#begin = options.database.prepare('BEGIN IMMEDIATE');
    this.#commit = options.database.prepare('COMMIT');
  }

  /** Reports whether a sync is in progress. */
  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Returns why the file must not be written any more; undefined while it may be. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  /** Commits the group before returning, and answers each write once it is on disk. Never throws. */
  write(group: readonly Write[]): void {
    this.#write(group, 'synced');
    this.sync();
  }

  /** Commits the group before returning, and answers each write at once: causes no sync. Never throws. */
  writeLoosely(group: readonly Write[]): void {
    this.#write(group, 'loose');
  }

  /** Begins to sync every commit made so far, or does once the sync in progress has ended. */
  sync(): void {
    this.#isSyncWanted = this.#unsynced.length > 0;
    this.#sync();
  }

  /** Resolves when commit `number` is on disk. */
  synced(number: number): Promise<void> {
    if (number <= this.#options.progress.synced) return Promise.resolve();
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ commit: number, resolve, reject });
      this.sync();
    });
  }

  #write(group: readonly Write[], how: Durability): void {
    if (this.#rejectIfBroken(group)) return;
    if (!this.#commitGroup(group, how) || this.#rejectIfBroken(group)) return;
    for (const one of group) this.#commitAlone(one, how);
  }

  #commitAlone(one: Write, how: Durability): void {
    if (this.#rejectIfBroken([one])) return;
    const failure = this.#commitGroup([one], how);
    if (!failure) return;
    const { faults } = this.#options;
    if (faults.isRefused(failure.reason)) this.#observer.onWriteRefused(failure.reason as Error);
    one.reject(faults.toCallersError(failure.reason));
  }

  /** Returns undefined after the commit; otherwise nothing from the group is stored. */
  #commitGroup(group: readonly Write[], how: Durability): { readonly reason: unknown } | undefined {
    const startedAt = performance.now();
    let values: unknown[];
    try {
      this.#begin.run();
      values = group.map((one) => one.work());
      this.#commit.run();
    } catch (reason) {
      this.#rollback(reason);
      return { reason };
    }
    this.#options.progress.current += 1;
    this.#unsynced.push({ group: how === 'loose' ? [] : group, values, startedAt });
    this.#options.afterCommit();
    if (how === 'loose') resolveAll(group, values);
    return undefined;
  }

  #sync(): void {
    if (this.#isSyncing || !this.#isSyncWanted) return;
    const { progress, sync, onSynced } = this.#options;
    const covered = progress.current - 1;
    const commits = this.#unsynced;
    this.#unsynced = [];
    this.#isSyncWanted = false;
    this.#isSyncing = true;
    sync((error) => {
      this.#isSyncing = false;
      // The kernel may have dropped what it could not write: a second sync could "succeed" over lost data.
      if (error) this.#break(error);
      else progress.synced = covered;
      for (const committed of commits) this.#answer(committed);
      this.#answerWaiters();
      this.#sync();
      onSynced();
    });
  }

  #answer({ group, values, startedAt }: Committed): void {
    if (group.length === 0 || this.#rejectIfBroken(group)) return;
    this.#observer.onCommit((performance.now() - startedAt) / 1000, group.length);
    resolveAll(group, values);
  }

  #answerWaiters(): void {
    if (this.#waiters.length === 0) return;
    const { synced } = this.#options.progress;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const one of waiters) {
      if (this.#broken) one.reject(this.#broken);
      else if (one.commit <= synced) one.resolve();
      else this.#waiters.push(one);
    }
  }

  #rollback(cause: unknown): void {
    this.#options.onRollback();
    this.#observer.onRollback();
    const { database } = this.#options;
    if (isBreaking(cause, this.#options.faults)) this.#break(cause as Error);
    try {
      if (database.inTransaction) database.exec('ROLLBACK');
    } catch (error) {
      this.#break(error as Error);
    }
  }

  #break(cause: Error): void {
    if (this.#broken) return;
    this.#broken = cause;
    this.#options.onBroken(cause);
  }

  #rejectIfBroken(group: readonly Write[]): boolean {
    const broken = this.#broken;
    if (!broken) return false;
    for (const one of group) one.reject(broken);
    return true;
  }
}

function resolveAll(group: readonly Write[], values: readonly unknown[]): void {
  group.forEach((one, index) => {
    one.resolve(values[index]);
  });
}

/**
 * Syncs the WAL off the thread, which SQLite's own sync would block for as long as the disk takes. A sync through
 * another descriptor of the same file covers what SQLite wrote before. Only the WAL may be opened this way: closing a
 * descriptor of the database file or of its -shm would drop SQLite's locks (fcntl(2)); the WAL has none.
 */
export class WalSync {
  readonly #descriptor: number;
  readonly #syncing: Syncing;

  /** @throws Error when the WAL does not exist: the database must have been read once */
  constructor(databaseFile: string, syncing: Syncing = 'commits') {
    this.#syncing = syncing;
    this.#descriptor = openSync(`${databaseFile}-wal`, 'r');
  }

  sync(callback: (error: Error | null) => void): void {
    if (this.#syncing === 'commits') fdatasync(this.#descriptor, callback);
    else setImmediate(callback, null);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * Reports whether the file must not be written again. After a failed fsync the kernel may have dropped the dirty
 * pages, and a retry could "succeed" over lost data. A refused write to the WAL leaves the commits before it intact.
 */
export function isBreaking(error: unknown, faults: Pick<WriteFaults, 'isRefused'>): boolean {
  return /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(codeOf(error) ?? '') && !faults.isRefused(error);
}
