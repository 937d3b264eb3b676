// Gathers writes that wait at the same moment into one transaction and one sync. Every write of the SQLite store goes
// through here. A write that throws is taken out: the group is rolled back and each is tried alone. The sync runs off
// the thread; meanwhile the next group gathers, and nothing of the last one has been answered.

import type Database from 'better-sqlite3';

import { isBreaking } from './is-breaking.ts';
import { noObserver, type StoreObserver } from '../store-observer.ts';

const longestWaitMs = 2;
/** What joins waits no longer for a commit that something else causes, and not in larger numbers. */
const joinWaitMs = 1000;
const joiningMax = 100;

/** How far writing has come, for readers that must not tell what a power cut could still undo. */
export interface CommitProgress {
  /** Number of the commit that is made now or next. */
  current: number;
  /** Every commit up to this number is on disk. */
  synced: number;
}

interface Waiting {
  /** Runs inside a transaction; may run twice, so it must have no effect but on the database. */
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export interface GroupCommitOptions {
  readonly database: Database.Database;
  readonly progress: CommitProgress;
  /** Brings every commit made so far to disk; the only thing that makes them durable. */
  readonly sync: (callback: (error: Error | null) => void) => void;
  /** Called once when a commit failed in a way after which the file must not be written again (fsync, I/O). */
  readonly onBroken: (error: Error) => void;
  /** Called after each rollback: what was learnt from the transaction does not hold. */
  readonly onRollback: () => void;
  /** Called after each commit, before it is on disk. */
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
  /** Answers of commits that no sync under way covers. */
  #unsynced: (() => void)[] = [];
  /** Readers, and whoever closes, that wait for the sync under way and for what follows it. */
  #awaiting: {
    readonly commit: number;
    readonly resolve: () => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  #isSyncing = false;
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

  /** Resolves when commit `number` is on disk. */
  synced(number: number): Promise<void> {
    if (number <= this.#options.progress.synced) return Promise.resolve();
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#awaiting.push({ commit: number, resolve, reject });
    });
  }

  /** Commits what waits, and resolves when all is on disk or never will be. */
  async settle(): Promise<void> {
    this.flush();
    try {
      await this.synced(this.#options.progress.current - 1);
    } catch (error) {
      if (error !== this.#broken) throw error;
    }
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
    // The group grows while the one before is brought to disk: its end schedules this one.
    if (this.#isScheduled || this.#isSyncing) return;
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
    this.#answerWhenSynced(() => {
      this.#observer.onCommit((performance.now() - startedAt) / 1000, group.length);
      group.forEach((one, index) => {
        one.resolve(values[index]);
      });
    }, group);
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
    this.#answerWhenSynced(() => {
      this.#observer.onCommit((performance.now() - startedAt) / 1000, 1);
      one.resolve(value);
    }, [one]);
  }

  #answerWhenSynced(answer: () => void, group: readonly Waiting[]): void {
    this.#options.progress.current += 1;
    this.#unsynced.push(() => {
      if (!this.#rejectIfBroken(group)) answer();
    });
    this.#options.afterCommit();
    this.#sync();
  }

  #sync(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    const answers = this.#unsynced;
    this.#unsynced = [];
    const { progress, sync } = this.#options;
    const covered = progress.current - 1;
    sync((error) => {
      this.#isSyncing = false;
      // What the kernel could not write it may have dropped: a second sync could "succeed" over lost data.
      if (error) this.#break(error);
      else progress.synced = covered;
      for (const answer of answers) answer();
      this.#answerAwaiting();
      if (this.#unsynced.length > 0) this.#sync();
      else if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #answerAwaiting(): void {
    if (this.#awaiting.length === 0) return;
    const { synced } = this.#options.progress;
    const awaiting = this.#awaiting;
    this.#awaiting = [];
    for (const one of awaiting) {
      if (this.#broken) one.reject(this.#broken);
      else if (one.commit <= synced) one.resolve();
      else this.#awaiting.push(one);
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

  #rejectIfBroken(group: readonly Waiting[]): boolean {
    const broken = this.#broken;
    if (!broken) return false;
    for (const one of group) one.reject(broken);
    return true;
  }
}
