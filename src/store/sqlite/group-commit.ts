// Gathers writes that wait at the same moment into one transaction and one sync. Every write of the SQLite store goes
// through here. A write that throws is taken out: the group is rolled back and each is tried alone. The sync runs off
// the thread; meanwhile the next group gathers, and nothing of the last one has been answered. Where deliveries come in
// numbers a second thread writes them, in turns with this one: then this one is free to take in the next.

import type Database from 'better-sqlite3';

import type { CommitProgress } from './commit-progress.ts';
import type { HandOver } from './hand-over.ts';
import { isBreaking } from './is-breaking.ts';
import { noObserver, type StoreObserver } from '../store-observer.ts';
import { type DeliveryWrite, type Waiting, WaitingDelivery } from './waiting-delivery.ts';

const longestWaitMs = 2;
/** What joins waits no longer for a commit that something else causes, and not in larger numbers. */
const joinWaitMs = 1000;
const joiningMax = 100;

/** So many deliveries that wait together are worth a thread of their own; it then writes all of them. */
const threadFrom = 8;

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
  /** Where another thread may write deliveries. */
  readonly handOver?: HandOver | undefined;
  readonly observer?: StoreObserver;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #observer: StoreObserver;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  #waiting: Waiting[] = [];
  #deliveries: WaitingDelivery[] = [];
  #joining: Waiting[] = [];
  #joinTimer: NodeJS.Timeout | undefined;
  #isJoinDue = false;
  /** The other thread writes: nothing may be written here. */
  #isHandedOver = false;
  readonly #whenHere: (() => void)[] = [];
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
    const urgent = this.#waiting.length + this.#deliveries.length;
    return {
      count: urgent + this.#joining.length,
      since: urgent > 0 ? this.#since : performance.now(),
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

  /** As `write`, for a delivery. */
  deliver<T>(delivery: DeliveryWrite<T>): Promise<T> {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise<T>((resolve, reject) => {
      const answer = { resolve: resolve as (value: unknown) => void, reject };
      this.#deliveries.push(new WaitingDelivery(delivery, answer));
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
        this.#isJoinDue = true;
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
    try {
      do {
        this.#isJoinDue = this.#joining.length > 0;
        this.flush();
        await this.synced(this.#options.progress.current - 1);
      } while (this.waiting.count > 0 && !this.#options.isPaused());
    } catch (error) {
      if (error !== this.#broken) throw error;
    }
  }

  /** Calls back when no other thread writes: at once, or before anything else is written. */
  whenHere(callback: () => void): void {
    if (this.#isHandedOver) this.#whenHere.push(callback);
    else callback();
  }

  /** Commits what waits now. Used by the schedule, after a pause, and before closing. */
  flush(): void {
    if (this.#isHandedOver) return;
    this.#isScheduled = false;
    if (this.waiting.count === 0 || this.#options.isPaused()) return;
    if (this.#deliveries.length > 0) this.#options.handOver?.noteDeliveries(this.#deliveries.length);
    // While a commit of this thread's is brought to disk: only what could not wait for that comes here.
    const isHandingOver = !this.#isSyncing && this.#isHandingOver();
    const group = this.#takeGroup(isHandingOver);
    if (group.length > 0 && !this.#commitTogether(group)) for (const one of group) this.#commitAlone(one);
    if (isHandingOver) this.#handOver();
    this.#sync();
    if (this.#hasWork) this.#schedule();
  }

  #isHandingOver(): boolean {
    const { handOver } = this.#options;
    if (!handOver || this.#deliveries.length === 0 || this.#broken) return false;
    if (this.#deliveries.length >= threadFrom) void handOver.thread.start();
    return handOver.thread.isReady && handOver.isGood();
  }

  /** What is to be written here. */
  #takeGroup(isHandingOver: boolean): readonly Waiting[] {
    const waiting: Waiting[] = this.#waiting;
    this.#waiting = [];
    // What is in no hurry does not keep the threads changing places.
    const isJoined = !isHandingOver || waiting.length > 0 || this.#isJoinWanted;
    const joining = isJoined ? this.#takeJoining() : [];
    if (isHandingOver) return joining.length > 0 ? [...joining, ...waiting] : waiting;
    const deliveries = this.#deliveries;
    this.#deliveries = [];
    if (joining.length + waiting.length === 0) return deliveries;
    return [...joining, ...waiting, ...deliveries];
  }

  #takeJoining(): readonly Waiting[] {
    const joining = this.#joining;
    this.#joining = [];
    this.#isJoinDue = false;
    clearTimeout(this.#joinTimer);
    this.#joinTimer = undefined;
    return joining;
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
    const count = this.#waiting.length + this.#deliveries.length;
    // While another thread writes them more come in anyway: waiting would have all senders wait for one another.
    const isWorthWaiting = this.#options.writesExpected() > count && !this.#isHandingOver();
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
  }

  #handOver(): void {
    const { handOver, progress } = this.#options;
    if (this.#broken) {
      this.#rejectIfBroken(this.#deliveries.splice(0));
      return;
    }
    const thread = handOver?.thread;
    const batch = this.#takeBatch(thread);
    if (!thread || batch.length === 0) return;
    const startedAt = performance.now();
    this.#isHandedOver = true;
    this.#isSyncing = true;
    progress.current += 1;
    thread.send((landing, wasStored) => {
      this.#isHandedOver = false;
      this.#isSyncing = false;
      if (landing.failure) this.#fallBack(batch, landing.failure, landing.isBroken ?? false);
      else this.#land(batch, { wasStored, startedAt });
      for (const callback of this.#whenHere.splice(0)) callback();
      this.#sync();
      if (this.#hasWork) this.#schedule();
    });
  }

  /** As many as fit. */
  #takeBatch(thread: HandOver['thread'] | undefined): readonly WaitingDelivery[] {
    const deliveries = this.#deliveries;
    const batch: WaitingDelivery[] = [];
    let taken = 0;
    for (const waiting of deliveries) {
      if (!thread?.hasRoom(waiting.delivery.bytes)) break;
      taken += 1;
      try {
        if (waiting.delivery.addTo(thread)) batch.push(waiting);
        else this.#waiting.push(waiting);
      } catch (error) {
        waiting.reject(error);
      }
    }
    this.#deliveries = deliveries.slice(taken);
    return batch;
  }

  /** The other thread's sync covers what was committed here before. */
  #land(
    batch: readonly WaitingDelivery[],
    { wasStored, startedAt }: { wasStored: (index: number) => boolean; startedAt: number },
  ): void {
    const { progress, afterCommit } = this.#options;
    progress.synced = progress.current - 1;
    afterCommit();
    for (const answer of this.#unsynced.splice(0)) answer();
    this.#observer.onCommit((performance.now() - startedAt) / 1000, batch.length);
    batch.forEach((waiting, index) => {
      if (wasStored(index)) {
        waiting.land();
        return;
      }
      // Full, or ended: it is seen here which.
      waiting.delivery.onLeftOut();
      this.#waiting.push(waiting);
    });
    this.#answerAwaiting();
  }

  #fallBack(batch: readonly WaitingDelivery[], failure: Error, isBroken: boolean): void {
    this.#options.onRollback();
    this.#observer.onRollback();
    if (isBroken || isBreaking(failure)) this.#break(failure);
    for (const waiting of batch) this.#commitAlone(waiting);
  }

  #sync(): void {
    const { progress, sync } = this.#options;
    const covered = progress.current - 1;
    // Without answers: the number of a batch that was rolled back, which readers may wait for.
    const isWanted = this.#unsynced.length > 0 || (covered > progress.synced && !this.#broken);
    if (this.#isSyncing || !isWanted) return;
    this.#isSyncing = true;
    const answers = this.#unsynced;
    this.#unsynced = [];
    sync((error) => {
      this.#isSyncing = false;
      // What the kernel could not write it may have dropped: a second sync could "succeed" over lost data.
      if (error) this.#break(error);
      else progress.synced = covered;
      for (const answer of answers) answer();
      this.#answerAwaiting();
      this.#sync();
      if (this.#hasWork) this.#schedule();
    });
  }

  get #hasWork(): boolean {
    return this.#waiting.length + this.#deliveries.length > 0 || this.#isJoinWanted;
  }

  get #isJoinWanted(): boolean {
    return this.#isJoinDue || this.#joining.length >= joiningMax;
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
