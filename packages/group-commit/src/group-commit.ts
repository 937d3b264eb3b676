// Groups the writes of the SQLite store: those waiting at the same moment share one transaction and one sync
// (writer.ts), and the next group forms while one is synced. Every write of the SQLite store goes through here.

import { Writer, type Write, type WriterOptions } from './writer.ts';

const longestWaitMs = 2;
/** How long joining writes wait for a commit with another cause, and how many may wait; loose ones for a sync. */
const joinWaitMs = 1000;
const joiningMax = 100;

export interface GroupCommitOptions extends Omit<WriterOptions, 'onSynced'> {
  /** Returns how many more writes to expect within a millisecond or two. */
  readonly writesExpected: () => number;
  /** Reports whether writes must wait for the checkpointer to copy the tail. */
  readonly isPaused: () => boolean;
}

export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #writer: Writer;
  #urgent: Write[] = [];
  #joining: Write[] = [];
  #joinTimer: NodeJS.Timeout | undefined;
  #loose: Write[] = [];
  #looseTimer: NodeJS.Timeout | undefined;
  #isLooseScheduled = false;
  #isJoinDue = false;
  #isScheduled = false;
  #since = 0;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#writer = new Writer({
      ...options,
      onSynced: () => {
        if (this.#hasWork) this.#schedule();
      },
    });
  }

  /** The waiting writes, and since when the first has waited (performance.now(); now if there is none). */
  get waiting(): { readonly count: number; readonly since: number } {
    const urgent = this.#urgent.length;
    return {
      count: urgent + this.#joining.length + this.#loose.length,
      since: urgent > 0 ? this.#since : performance.now(),
    };
  }

  /** Resolves with the result of `work` once that is on disk. Rejects with its error when nothing was stored. */
  write<T>(work: () => T): Promise<T> {
    const { broken } = this.#writer;
    if (broken) return Promise.reject(broken);
    return new Promise<T>((resolve, reject) => {
      this.#urgent.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /** Like `write`, but not urgent: causes no commit of its own within a second. For writes that strangers can cause. */
  join<T>(work: () => T): Promise<T> {
    const { broken } = this.#writer;
    if (broken) return Promise.reject(broken);
    return new Promise<T>((resolve, reject) => {
      this.#joining.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.#joining.length >= joiningMax) this.#schedule();
      this.#joinTimer ??= setTimeout(() => {
        this.#isJoinDue = true;
        this.flush();
      }, joinWaitMs).unref();
    });
  }

  /**
   * Resolves with the result of `work` once every reader sees it, before it is on disk: a power cut may undo it. It is
   * on disk with the next other write, within a second, or sooner where `synced` asks for it. For what no success
   * depends on.
   */
  writeLoosely<T>(work: () => T): Promise<T> {
    const { broken } = this.#writer;
    if (broken) return Promise.reject(broken);
    return new Promise<T>((resolve, reject) => {
      this.#loose.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.#isLooseScheduled) return;
      this.#isLooseScheduled = true;
      setImmediate(() => {
        this.#commitLoose();
      });
    });
  }

  /** Resolves when commit `number` is on disk. */
  synced(number: number): Promise<void> {
    return this.#writer.synced(number);
  }

  /** Commits all waiting writes; resolves once they are on disk or have failed. */
  async settle(): Promise<void> {
    try {
      do {
        this.#isJoinDue = this.#joining.length > 0;
        this.flush();
        await this.synced(this.#options.progress.current - 1);
      } while (this.waiting.count > 0 && !this.#options.isPaused());
    } catch (error) {
      if (error !== this.#writer.broken) throw error;
    }
  }

  /** Commits the writes that are waiting now. Called by the schedule, after a pause, and before closing. */
  flush(): void {
    this.#isScheduled = false;
    this.#commitLoose();
    if (this.#urgent.length + this.#joining.length === 0 || this.#options.isPaused()) return;
    const urgent = this.#urgent;
    this.#urgent = [];
    const joining = this.#takeJoining();
    this.#writer.write(joining.length === 0 ? urgent : [...joining, ...urgent]);
    if (this.#hasWork) this.#schedule();
  }

  #commitLoose(): void {
    this.#isLooseScheduled = false;
    if (this.#loose.length === 0 || this.#options.isPaused()) return;
    const loose = this.#loose;
    this.#loose = [];
    this.#writer.writeLoosely(loose);
    this.#looseTimer ??= setTimeout(() => {
      this.#looseTimer = undefined;
      this.#writer.sync();
    }, joinWaitMs).unref();
  }

  #takeJoining(): readonly Write[] {
    const joining = this.#joining;
    this.#joining = [];
    this.#isJoinDue = false;
    clearTimeout(this.#joinTimer);
    this.#joinTimer = undefined;
    return joining;
  }

  #schedule(): void {
    // The group grows while the previous one is synced; the end of that sync schedules this one.
    if (this.#isScheduled || this.#writer.isSyncing) return;
    this.#isScheduled = true;
    this.#since = performance.now();
    setImmediate(this.#turn);
  }

  // After the poll phase: every socket readable in this turn has added its write. Waits another turn only while more
  // writes are expected than have arrived (like PostgreSQL's commit_siblings), so that a lone sender never waits and
  // many senders share an fsync.
  readonly #turn = (): void => {
    const isWorthWaiting = this.#options.writesExpected() > this.#urgent.length;
    if (isWorthWaiting && performance.now() - this.#since < longestWaitMs) setImmediate(this.#turn);
    else this.flush();
  };

  get #hasWork(): boolean {
    return this.#urgent.length > 0 || this.#isJoinDue || this.#joining.length >= joiningMax;
  }
}
