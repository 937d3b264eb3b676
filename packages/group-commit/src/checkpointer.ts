// Decides when the WAL is checkpointed, and instructs the checkpoint thread: beside the writer while the WAL is within
// its bound; beyond it the writer pauses for the short tail, after which SQLite begins the WAL again.

import { Worker } from 'node:worker_threads';

import type { Syncing } from './open-database.ts';
import { isBreaking, type WriteFaults } from './writer.ts';
import { WalGrowth } from './checkpoint/wal-growth.ts';

/** The longest time between two checks. */
const intervalMs = 1000;
/** The shortest. */
const leastIntervalMs = 50;
/**
 * A checkpoint's sync delays the writer's own syncs. Frequent short ones delay few messages, none for long, but
 * constant checkpoints cost throughput, so the pause lasts this many times as long as the last one.
 */
const restFactor = 10;
/** The most bytes left for the pause, which is a few milliseconds of copying and syncing. */
const tailMaxBytes = 2 * 1024 * 1024;

interface CheckpointResult {
  /** Frames in the WAL. */
  readonly frames?: number;
  readonly failure?: { readonly code: string; readonly message: string };
}

export interface CheckpointObserver {
  /** The log was moved to the database file. */
  onCheckpoint(mode: 'beside' | 'paused', seconds: number): void;
  /** The log could not be moved for lack of space or descriptors; it is retried. */
  onCheckpointFailed(error: Error): void;
}

export interface CheckpointerOptions {
  readonly file: string;
  /** The database file's descriptor; close it after all connections, because closing it drops their locks. */
  readonly descriptor: number;
  readonly pageBytes: number;
  readonly walBoundBytes: number;
  readonly syncing: Syncing;
  /** Called when the writer may continue after a pause. */
  readonly onResume: () => void;
  /** Called when a failed checkpoint means that the database file is no longer safe to write to. */
  readonly onBroken: (error: Error) => void;
  readonly faults: Pick<WriteFaults, 'isRefused'>;
  readonly observer: CheckpointObserver;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  #worker: Worker | undefined;
  #isRunning = false;
  #startedAt = 0;
  /** Until the next check. */
  #restMs = intervalMs;
  #isPaused = false;
  #isClosed = false;
  #hasWritten = false;
  #timer: NodeJS.Timeout;
  readonly #growth = new WalGrowth(performance.now());
  /** Growth between the last checkpoint and the one before it. */
  #lastGrownBytes = Infinity;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    // At once, for when descriptors run short later, unless the data lasts no longer than a run of tests.
    if (options.syncing === 'commits') this.#worker = this.#startWorker();
    this.#timer = this.#schedule(intervalMs);
  }

  #startWorker(): Worker {
    const { file, descriptor, onBroken } = this.#options;
    const worker = new Worker(new URL('./checkpoint-worker.mjs', import.meta.url), {
      workerData: { file, descriptor },
    });
    worker.on('message', (result: CheckpointResult) => {
      this.#finish(result);
    });
    worker.on('error', onBroken);
    worker.unref();
    return worker;
  }

  /** Reports whether the writer must hold back its commits. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  recordCommit(): void {
    this.#hasWritten = true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const worker = this.#worker;
    if (worker && worker.threadId >= 0) {
      const exited = new Promise((resolve) => worker.once('exit', resolve));
      // An unreferenced worker would let the process end before it has closed its file.
      worker.ref();
      worker.postMessage({ task: 'close' });
      await exited;
    }
    this.#isPaused = false;
  }

  #schedule(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = this.#schedule(intervalMs);
      if (this.#isRunning || !this.#hasWritten) return;
      this.#hasWritten = false;
      this.#start();
    }, ms).unref();
  }

  #start(): void {
    this.#isRunning = true;
    this.#startedAt = performance.now();
    this.#worker ??= this.#startWorker();
    this.#worker.ref();
    this.#worker.postMessage({ task: 'checkpoint', isBeside: !this.#isPaused });
  }

  #finish({ frames = 0, failure }: CheckpointResult): void {
    this.#isRunning = false;
    this.#worker?.unref();
    const tookMs = performance.now() - this.#startedAt;
    this.#options.observer.onCheckpoint(this.#isPaused ? 'paused' : 'beside', tookMs / 1000);
    this.#restMs = Math.min(intervalMs, Math.max(leastIntervalMs, restFactor * tookMs));
    if (failure) {
      this.#fail(Object.assign(new Error(`Checkpoint: ${failure.message}`), failure));
      return;
    }
    if (this.#isPaused) this.#afterPaused(frames);
    else this.#afterBeside(frames);
  }

  #fail(error: Error & { readonly code: string }): void {
    if (isBreaking(error, this.#options.faults)) {
      this.#options.onBroken(error);
      return;
    }
    // No disk space or descriptors: nothing was harmed and the writer continues. Retried at the next tick.
    this.#options.observer.onCheckpointFailed(error);
    this.#isPaused = false;
    this.#hasWritten = true;
    this.#options.onResume();
  }

  #afterBeside(frames: number): void {
    const grownBytes = this.#growth.see(frames, performance.now()) * this.#options.pageBytes;
    const isShrinking = grownBytes < this.#lastGrownBytes;
    this.#lastGrownBytes = grownBytes;
    if (frames < this.#boundFrames()) {
      this.#lookInTime();
      return;
    }
    // Much was written meanwhile: to keep the pause short, repeat beside the writer for as long as that makes progress.
    this.#isPaused = grownBytes <= tailMaxBytes || !isShrinking;
    this.#start();
  }

  #afterPaused(frames: number): void {
    this.#growth.see(frames, performance.now());
    this.#isPaused = false;
    // A reader may have been in the way: retry at the next check instead of keeping the writer waiting.
    this.#hasWritten = true;
    this.#lookInTime();
    this.#options.onResume();
  }

  #boundFrames(): number {
    return this.#options.walBoundBytes / this.#options.pageBytes;
  }

  #lookInTime(): void {
    if (this.#isClosed) return;
    const ms = Math.min(this.#restMs, this.#growth.msUntil(this.#boundFrames()));
    clearTimeout(this.#timer);
    this.#timer = this.#schedule(Math.max(leastIntervalMs, ms));
  }
}
