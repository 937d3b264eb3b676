// Decides when the WAL is checkpointed and by how much, and asks the checkpoint thread to do it. PASSIVE beside the
// writer as long as the WAL is within its bound; past it the writer pauses for the short tail, after which SQLite
// starts the WAL from its beginning. After keys were destroyed none may outlive its row there: under load the WAL is
// soon written over, else it is truncated, which costs every commit until it has grown again. Owned by SqliteStore.

import { Worker } from 'node:worker_threads';

import type { StoreObserver } from '../store-observer.ts';
import { isBreaking } from './writer.ts';
import { WalRounds } from './wal-rounds.ts';

/** Between two looks, at most. */
const intervalMs = 1000;
/** At least. */
const leastIntervalMs = 50;
/**
 * Each checkpoint syncs the file beside the writer's own syncs, which wait for it: often and short, few messages wait
 * and none for long; but it must not be at it all the time, which costs the writer. So it rests so many times as long
 * as it took.
 */
const restFactor = 10;
/** What may be left for the pause: a few milliseconds of copying and syncing. */
const tailMaxBytes = 2 * 1024 * 1024;

const defaultOverwriteMaxMs = 30_000;
/** Rounds that are drawn out to write over what must go may be so much longer than others. */
const roundMaxFactor = 1.5;

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
  /** Whether the WAL held something when it was opened. */
  readonly hasOldWal: boolean;
  /** So long it may take until the WAL is written over by itself, before it is truncated: 30 s unless told. */
  readonly overwriteMaxMs?: number;
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
  readonly #exited: Promise<unknown>;
  /** What the thread is at. */
  #running: Mode | undefined;
  #startedAt = 0;
  /** Until the next look. */
  #restMs = intervalMs;
  #isPaused = false;
  #isClosed = false;
  #hasWritten = false;
  #timer: NodeJS.Timeout;
  readonly #rounds: WalRounds;
  /** Bytes that had come at the last checkpoint since the one before. */
  #lastGrownBytes = Infinity;
  readonly #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#rounds = new WalRounds(performance.now(), options.hasOldWal);
    this.#worker = new Worker(new URL('./checkpoint-worker.mjs', import.meta.url), {
      workerData: { file: options.file, descriptor: options.descriptor },
    });
    this.#worker.on('message', (result: CheckpointResult) => {
      this.#finish(result);
    });
    this.#worker.on('error', options.onBroken);
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.unref();
    this.#timer = this.#schedule(intervalMs);
  }

  /** While true the writer holds its commits back. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  noteCommit(): void {
    this.#hasWritten = true;
  }

  /** Resolves when the WAL holds nothing older than this call; rejects when it is closed before. */
  eraseWal(): Promise<void> {
    this.#rounds.ask(performance.now());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#running) this.#start('PASSIVE');
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    // Unreferenced, it would let the process end before it has closed its file.
    this.#worker.ref();
    this.#worker.postMessage({ mode: 'close' });
    await this.#exited;
    this.#isPaused = false;
    const overtaken = new Error('Closed before the WAL was erased.');
    for (const { reject } of this.#waiting.splice(0)) reject(overtaken);
  }

  #schedule(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = this.#schedule(intervalMs);
      if (this.#running || (!this.#hasWritten && !this.#rounds.erasure)) return;
      this.#hasWritten = false;
      this.#start('PASSIVE');
    }, ms).unref();
  }

  #start(mode: Mode): void {
    this.#running = mode;
    this.#startedAt = performance.now();
    this.#rounds.begin();
    this.#worker.ref();
    this.#worker.postMessage({ mode, isBeside: !this.#isPaused });
  }

  #finish(result: CheckpointResult): void {
    const mode = this.#running;
    this.#running = undefined;
    this.#worker.unref();
    const tookMs = performance.now() - this.#startedAt;
    this.#options.observer?.onCheckpoint(mode === 'TRUNCATE' ? 'truncate' : 'passive', tookMs / 1000);
    this.#restMs = Math.min(intervalMs, Math.max(leastIntervalMs, restFactor * tookMs));
    if (result.failure) {
      this.#fail(Object.assign(new Error(`Checkpoint: ${result.failure.message}`), result.failure));
      return;
    }
    if (this.#isPaused) {
      this.#afterPaused(result, mode);
      return;
    }
    const next = this.#afterPassive(result);
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
    const { pageBytes } = this.#options;
    const grownBytes = this.#rounds.see(frames, performance.now()) * pageBytes;
    const isShrinking = grownBytes < this.#lastGrownBytes;
    this.#lastGrownBytes = grownBytes;
    if (this.#rounds.isOverwritten) this.#noteErased();
    const mustTruncate = this.#mustTruncate();
    if (!mustTruncate && frames < this.#roundFrames()) {
      this.#lookInTime();
      return undefined;
    }
    // Much has come meanwhile: once more beside the writer, as long as that gains on it, so that the pause is short.
    if (grownBytes > tailMaxBytes && isShrinking) return 'PASSIVE';
    this.#isPaused = true;
    return mustTruncate ? 'TRUNCATE' : 'PASSIVE';
  }

  #afterPaused({ busy = 0, frames = 0, moved = 0 }: CheckpointResult, mode: Mode | undefined): void {
    if (mode === 'PASSIVE') this.#rounds.see(frames, performance.now());
    if (mode === 'TRUNCATE' && busy === 0 && frames === moved) {
      this.#noteErased();
      this.#rounds.clear();
    }
    this.#isPaused = false;
    // A reader was in the way: the next look tries again, the writer does not wait for it.
    this.#hasWritten = true;
    this.#lookInTime();
    this.#options.onResume();
  }

  /** Whether what has to go would stay too long otherwise. */
  #mustTruncate(): boolean {
    const { erasure } = this.#rounds;
    if (!erasure) return false;
    const { overwriteMaxMs = defaultOverwriteMaxMs } = this.#options;
    const bound = this.#boundFrames();
    if (erasure.frames > bound * roundMaxFactor) return true;
    // The rest of this round, and the next one up to the same place.
    const frames = erasure.isNextRound ? erasure.frames : bound + erasure.frames;
    return performance.now() - erasure.since + this.#rounds.msUntil(frames) > overwriteMaxMs;
  }

  #noteErased(): void {
    this.#rounds.settle();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #boundFrames(): number {
    return this.#options.walBoundBytes / this.#options.pageBytes;
  }

  #roundFrames(): number {
    return this.#rounds.target(this.#boundFrames());
  }

  #lookInTime(): void {
    if (this.#isClosed) return;
    // The WAL starts anew when a checkpoint catches up with the writer: not before it is written over.
    const restMs = this.#rounds.erasure ? intervalMs : this.#restMs;
    const ms = Math.min(restMs, this.#rounds.msUntil(this.#roundFrames()));
    clearTimeout(this.#timer);
    this.#timer = this.#schedule(Math.max(leastIntervalMs, ms));
  }
}
