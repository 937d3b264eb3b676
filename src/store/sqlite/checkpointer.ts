// Decides when the WAL is checkpointed and by how much, and asks the checkpoint thread to do it. PASSIVE beside the
// writer as long as the WAL is within its bound; past it the writer pauses for the short tail, after which SQLite
// starts the WAL from its beginning. After keys were destroyed the WAL is truncated, so that none outlives its row
// there. Owned by SqliteStore.

import { Worker } from 'node:worker_threads';

import type { StoreObserver } from '../store-observer.ts';
import { isBreaking } from './is-breaking.ts';

/** Between two looks. Each checkpoint syncs the file beside the writer's own syncs: oftener costs the writer. */
const intervalMs = 1000;
/** What may be left for the pause: a few milliseconds of copying and syncing. */
const tailMaxBytes = 2 * 1024 * 1024;

interface CheckpointResult {
  readonly busy?: number;
  /** Frames in the WAL, and how many of them are in the database file. */
  readonly frames?: number;
  readonly moved?: number;
  readonly failure?: { readonly code: string; readonly message: string };
}

export interface CheckpointerOptions {
  readonly file: string;
  /** Of the database file, to be closed after every connection to it: closing it drops their locks. */
  readonly descriptor: number;
  readonly pageBytes: number;
  readonly walBoundBytes: number;
  /** Called when the writer may go on after a pause. */
  readonly onResume: () => void;
  /** Called when a checkpoint failed so that the database file must not be trusted to take writes. */
  readonly onBroken: (error: Error) => void;
  readonly observer?: StoreObserver;
}

type Mode = 'PASSIVE' | 'TRUNCATE';

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  readonly #exited: Promise<unknown>;
  /** What the thread is at. */
  #running: Mode | undefined;
  #startedAt = 0;
  #isPaused = false;
  #hasWritten = false;
  #mustTruncate = false;
  /** Frames in the WAL at the last checkpoint, and the bytes that had come since the one before. */
  #lastFrames = 0;
  #lastGrownBytes = Infinity;
  readonly #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#worker = new Worker(new URL('./checkpoint-worker.mjs', import.meta.url), {
      workerData: { file: options.file, descriptor: options.descriptor },
    });
    this.#worker.on('message', (result: CheckpointResult) => {
      this.#finish(result);
    });
    this.#worker.on('error', options.onBroken);
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.unref();
    this.#timer = setInterval(() => {
      this.#tick();
    }, intervalMs).unref();
  }

  /** While true the writer holds its commits back. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  noteCommit(): void {
    this.#hasWritten = true;
  }

  /** Resolves when the WAL holds nothing older than this call; rejects when it is closed before. */
  truncateWal(): Promise<void> {
    this.#mustTruncate = true;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#running) this.#start('PASSIVE');
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // Unreferenced, it would let the process end before it has closed its file.
    this.#worker.ref();
    this.#worker.postMessage({ mode: 'close' });
    await this.#exited;
    this.#isPaused = false;
    const overtaken = new Error('Closed before the WAL was truncated.');
    for (const { reject } of this.#waiting.splice(0)) reject(overtaken);
  }

  #tick(): void {
    if (this.#running || !this.#hasWritten) return;
    this.#hasWritten = false;
    this.#start('PASSIVE');
  }

  #start(mode: Mode): void {
    this.#running = mode;
    this.#startedAt = performance.now();
    this.#worker.ref();
    this.#worker.postMessage({ mode, isBeside: !this.#isPaused });
  }

  #finish(result: CheckpointResult): void {
    const mode = this.#running;
    this.#running = undefined;
    this.#worker.unref();
    const seconds = (performance.now() - this.#startedAt) / 1000;
    this.#options.observer?.onCheckpoint(mode === 'TRUNCATE' ? 'truncate' : 'passive', seconds);
    if (result.failure) {
      this.#fail(Object.assign(new Error(`Checkpoint: ${result.failure.message}`), result.failure));
      return;
    }
    const next = this.#isPaused ? this.#afterPaused(result, mode) : this.#afterPassive(result);
    if (next) this.#start(next);
  }

  #fail(error: Error & { readonly code: string }): void {
    if (isBreaking(error)) {
      this.#options.onBroken(error);
      return;
    }
    // No room, no descriptors: nothing was harmed, and the writer goes on. Tried again at the next tick.
    this.#options.observer?.onCheckpointFailed(error);
    this.#isPaused = false;
    this.#hasWritten = true;
    this.#options.onResume();
  }

  #afterPassive({ frames = 0 }: CheckpointResult): Mode | undefined {
    const { walBoundBytes, pageBytes } = this.#options;
    const grownBytes = (frames - this.#lastFrames) * pageBytes;
    const isShrinking = grownBytes < this.#lastGrownBytes;
    this.#lastFrames = frames;
    this.#lastGrownBytes = grownBytes;
    if (this.#mustTruncate) {
      this.#isPaused = true;
      return 'TRUNCATE';
    }
    if (frames * pageBytes < walBoundBytes) return undefined;
    // Much has come meanwhile: once more beside the writer, as long as that gains on it, so that the pause is short.
    if (grownBytes > tailMaxBytes && isShrinking) return 'PASSIVE';
    this.#isPaused = true;
    return 'PASSIVE';
  }

  #afterPaused(
    { busy = 0, frames = 0, moved = 0 }: CheckpointResult,
    mode: Mode | undefined,
  ): Mode | undefined {
    const isDone = busy === 0 && frames === moved;
    if (this.#mustTruncate && mode === 'PASSIVE') return 'TRUNCATE';
    if (this.#mustTruncate && isDone) {
      this.#mustTruncate = false;
      for (const { resolve } of this.#waiting.splice(0)) resolve();
    }
    this.#isPaused = false;
    // A reader was in the way: the next tick tries again, the writer does not wait for it.
    this.#hasWritten = true;
    this.#options.onResume();
    return undefined;
  }
}
