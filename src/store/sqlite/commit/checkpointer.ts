// Decides when and how far the WAL is checkpointed, and instructs the checkpoint thread: PASSIVE beside the writer
// while the WAL is within its bound; beyond it the writer pauses for the short tail, after which SQLite restarts the
// WAL. After keys were destroyed, none may survive in the WAL: under load it is soon overwritten, otherwise it is
// truncated, which slows every commit until it has grown again. Owned by SqliteStore.

import { Worker } from 'node:worker_threads';

import type { StoreObserver } from '../../store-observer.ts';
import { isBreaking } from './writer.ts';
import { WalRounds } from './wal-rounds.ts';

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

const defaultOverwriteMaxMs = 30_000;
/** How far a round may be prolonged to overwrite destroyed keys. */
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
  /** The database file's descriptor; close it after all connections, because closing it drops their locks. */
  readonly descriptor: number;
  readonly pageBytes: number;
  readonly walBoundBytes: number;
  /** Whether the WAL had content when it was opened. */
  readonly hasOldWal: boolean;
  /** How long to wait for the WAL to be overwritten before truncating it; 30 s by default. */
  readonly overwriteMaxMs?: number;
  /** Called when the writer may continue after a pause. */
  readonly onResume: () => void;
  /** Called when a failed checkpoint means that the database file is no longer safe to write to. */
  readonly onBroken: (error: Error) => void;
  readonly observer?: StoreObserver;
}

type Mode = 'PASSIVE' | 'TRUNCATE';

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  /** The thread's current mode. */
  #running: Mode | undefined;
  #startedAt = 0;
  /** Until the next check. */
  #restMs = intervalMs;
  #isPaused = false;
  #isClosed = false;
  #hasWritten = false;
  #timer: NodeJS.Timeout;
  readonly #rounds: WalRounds;
  /** Growth between the last checkpoint and the one before it. */
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

  /** Reports whether the writer must hold back its commits. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  noteCommit(): void {
    this.#hasWritten = true;
  }

  /** Resolves when the WAL holds nothing older than this call; rejects when closed before. */
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
    // An unreferenced worker would let the process end before it has closed its file.
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
    // No disk space or descriptors: nothing was harmed and the writer continues. Retried at the next tick.
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
    // Much was written meanwhile: to keep the pause short, repeat beside the writer for as long as that makes progress.
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
    // A reader was in the way: retry at the next check instead of keeping the writer waiting.
    this.#hasWritten = true;
    this.#lookInTime();
    this.#options.onResume();
  }

  /** Reports whether destroyed keys would otherwise stay too long. */
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
    // The WAL restarts when a checkpoint catches up with the writer; wait until it is overwritten.
    const restMs = this.#rounds.erasure ? intervalMs : this.#restMs;
    const ms = Math.min(restMs, this.#rounds.msUntil(this.#roundFrames()));
    clearTimeout(this.#timer);
    this.#timer = this.#schedule(Math.max(leastIntervalMs, ms));
  }
}
