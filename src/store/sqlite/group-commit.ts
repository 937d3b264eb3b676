// Gathers writes that wait at the same moment into one transaction and one fsync. Every write of the SQLite store
// goes through here. A write that throws is taken out: the group is rolled back and each is tried alone.

import type Database from 'better-sqlite3';

import { isBreaking } from './is-breaking.ts';
import { noObserver, type StoreObserver } from '../store-observer.ts';

const longestWaitMs = 2;
/** What joins waits no longer for a commit that something else causes, and not in larger numbers. */
const joinWaitMs = 1000;
const joiningMax = 100;

interface Waiting {
  /** Runs inside a transaction; may run twice, so it must have no effect but on the database. */
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface GroupCommitOptions {
  readonly database: Database.Database;
  /** Called once when a commit failed in a way after which the file must not be written again (fsync, I/O). */
  readonly onBroken: (error: Error) => void;
  /** Called after each rollback: what was learnt from the transaction does not hold. */
  readonly onRollback: () => void;
  /** Called after each commit. */
  readonly afterCommit: () => void;
  /** How many more writes are likely within a millisecond or two. */
  readonly writesExpected: () => number;
  /** While true, writes wait (the checkpointer needs the tail). */
  readonly isPaused: () => boolean;
  readonly observer?: StoreObserver;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #observer: StoreObserver;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  #waiting: Waiting[] = [];
  #joining: Waiting[] = [];
  #joinTimer: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #since = 0;
  #broken: Error | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#observer = options.observer ?? noObserver;
    this.#begin = options.database.prepare('BEGIN IMMEDIATE');
    this.#commit = options.database.prepare('COMMIT');
  }

  /** Writes that wait, and since when the first of them does (performance.now(); now when none does). */
  get waiting(): { readonly count: number; readonly since: number } {
    return {
      count: this.#waiting.length + this.#joining.length,
      since: this.#waiting.length > 0 ? this.#since : performance.now(),
    };
  }

  /** Resolves with what `work` returned, once that is on disk. Rejects with what it threw, nothing being stored. */
  write<T>(work: () => T): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** As `write`, for what is in no hurry and strangers may cause: no commit is made for it alone within a second. */
  join<T>(work: () => T): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise<T>((resolve, reject) => {
      this.#joining.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.#joining.length >= joiningMax) this.#schedule();
      this.#joinTimer ??= setTimeout(() => {
        this.flush();
      }, joinWaitMs).unref();
    });
  }

  /** Commits what waits now. Used by the schedule, after a pause, and before closing. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#waiting.length + this.#joining.length === 0 || this.#options.isPaused()) return;
    const group = this.#takeGroup();
    if (!this.#commitTogether(group)) for (const one of group) this.#commitAlone(one);
  }

  #takeGroup(): readonly Waiting[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.#joining.length === 0) return waiting;
    const joining = this.#joining;
    this.#joining = [];
    clearTimeout(this.#joinTimer);
    this.#joinTimer = undefined;
    return [...joining, ...waiting];
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#since = performance.now();
    setImmediate(this.#turn);
  }

  // After the poll phase: every socket that was readable in this turn of the loop has added its write. Another turn is
  // waited for only while more writes are about to come than have come (as PostgreSQL's commit_siblings does): a lone
  // sender never waits, many share an fsync.
  readonly #turn = (): void => {
    const isWorthWaiting = this.#options.writesExpected() > this.#waiting.length;
    if (isWorthWaiting && performance.now() - this.#since < longestWaitMs) setImmediate(this.#turn);
    else this.flush();
  };

  #commitTogether(group: readonly Waiting[]): boolean {
    let values: unknown[];
    const startedAt = performance.now();
    try {
      this.#begin.run();
      values = group.map((one) => one.work());
      this.#commit.run();
    } catch (error) {
      this.#rollback(error);
      return this.#rejectIfBroken(group);
    }
    this.#observer.onCommit((performance.now() - startedAt) / 1000, group.length);
    group.forEach((one, index) => {
      one.resolve(values[index]);
    });
    this.#options.afterCommit();
    return true;
  }

  #commitAlone(one: Waiting): void {
    if (this.#rejectIfBroken([one])) return;
    let value: unknown;
    const startedAt = performance.now();
    try {
      this.#begin.run();
      value = one.work();
      this.#commit.run();
    } catch (error) {
      this.#rollback(error);
      one.reject(error);
      return;
    }
    this.#observer.onCommit((performance.now() - startedAt) / 1000, 1);
    one.resolve(value);
    this.#options.afterCommit();
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

  #rejectIfBroken(group: readonly Waiting[]): boolean {
    const broken = this.#broken;
    if (!broken) return false;
    for (const one of group) one.reject(broken);
    return true;
  }
}
