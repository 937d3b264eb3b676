// Writes to the SQLite file: one transaction for a group of writes, and the sync that makes it durable. No write is answered
// before that sync has ended. A write that throws is taken out: the group is rolled back and each write is tried alone.
// Driven by group-commit.ts, which decides when to write; nothing else writes to the file.

import { closeSync, fdatasync, openSync } from 'node:fs';

import type Database from 'better-sqlite3';

import { noObserver, type StoreObserver } from '../store-observer.ts';

/** A write that waits for its commit. */
export interface Write {
  /** Runs inside a transaction; may run twice, so it must have no effect but on the database. */
  work(): unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** How far writing has come. Readers must not report what a power cut could still undo. */
export interface CommitProgress {
  /** Number of the commit that is made now or next. */
  current: number;
  /** Every commit up to this number is on disk. */
  synced: number;
}

export interface WriterOptions {
  readonly database: Database.Database;
  readonly progress: CommitProgress;
  /** Brings every commit made so far to disk; the only thing that makes them durable. */
  readonly sync: (callback: (error: Error | null) => void) => void;
  /** Called after each sync: the next group may be written. */
  readonly onSynced: () => void;
  /** Called once when a commit failed in a way after which the file must not be written again (fsync, I/O). */
  readonly onBroken: (error: Error) => void;
  /** Called after each rollback: what was learnt from the transaction does not hold. */
  readonly onRollback: () => void;
  /** Called after each commit, before it is on disk. */
  readonly afterCommit: () => void;
  readonly observer?: StoreObserver;
}

/** A commit whose answers wait for the sync. */
interface Committed {
  readonly group: readonly Write[];
  /** What each of the group returned. */
  readonly values: readonly unknown[];
  readonly startedAt: number;
}

/** A reader, or a close, that waits for a commit to be on disk. */
interface SyncWaiter {
  readonly commit: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class Writer {
  readonly #options: WriterOptions;
  readonly #observer: StoreObserver;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  /** Commits that no sync under way covers. */
  #unsynced: Committed[] = [];
  #waiters: SyncWaiter[] = [];
  #isSyncing = false;
  #broken: Error | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#observer = options.observer ?? noObserver;
    this.#begin = options.database.prepare('BEGIN IMMEDIATE');
    this.#commit = options.database.prepare('COMMIT');
  }

  /** Whether a sync is under way. */
  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Why the file must not be written any more; undefined while it may be. */
  get broken(): Error | undefined {
    return this.#broken;
  }

  /** Commits the group before it returns, and answers each write of it once that is on disk. Never throws. */
  write(group: readonly Write[]): void {
    if (this.#rejectIfBroken(group)) return;
    if (this.#commitGroup(group) && !this.#rejectIfBroken(group)) {
      for (const one of group) this.#commitAlone(one);
    }
    this.#sync();
  }

  /** Resolves when commit `number` is on disk. */
  synced(number: number): Promise<void> {
    if (number <= this.#options.progress.synced) return Promise.resolve();
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#waiters.push({ commit: number, resolve, reject });
    });
  }

  #commitAlone(one: Write): void {
    if (this.#rejectIfBroken([one])) return;
    const failure = this.#commitGroup([one]);
    if (failure) one.reject(failure.reason);
  }

  /** Undefined when it was committed; else nothing of the group is stored. */
  #commitGroup(group: readonly Write[]): { readonly reason: unknown } | undefined {
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
    this.#unsynced.push({ group, values, startedAt });
    this.#options.afterCommit();
    return undefined;
  }

  #sync(): void {
    if (this.#isSyncing || this.#unsynced.length === 0) return;
    const { progress, sync, onSynced } = this.#options;
    const covered = progress.current - 1;
    const commits = this.#unsynced;
    this.#unsynced = [];
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
    if (this.#rejectIfBroken(group)) return;
    this.#observer.onCommit((performance.now() - startedAt) / 1000, group.length);
    group.forEach((one, index) => {
      one.resolve(values[index]);
    });
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
    if (isBreaking(cause)) this.#break(cause as Error);
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

/**
 * Brings the WAL to disk beside the thread, which SQLite's own sync would hold for as long as the disk takes. The file is the
 * same one, so a sync through this descriptor covers what SQLite wrote before it. Only the WAL may be opened so: closing a
 * descriptor of the database file or of its -shm would drop SQLite's locks (fcntl(2)), which the WAL has none of.
 */
export class WalSync {
  readonly #descriptor: number;

  /** @throws Error when the WAL is not there: the database has to have been read once */
  constructor(databaseFile: string) {
    this.#descriptor = openSync(`${databaseFile}-wal`, 'r');
  }

  sync(callback: (error: Error | null) => void): void {
    fdatasync(this.#descriptor, callback);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Whether the file must not be written again. After a failed fsync the kernel may have dropped the dirty pages: a retry could "succeed" over lost data. */
export function isBreaking(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(code);
}
