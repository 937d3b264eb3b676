// The service's end of the thread that writes deliveries (delivery-worker.mjs): starts it, hands it batches and tells
// what became of them. Between `send` and its answer nothing else may be written to the file. Owned by the group commit.

import { Worker } from 'node:worker_threads';

import { rawChunkBytes } from '../../domain/limits.ts';
import { DeliveryBatch, type DeliveryRecord } from './delivery-batch.mjs';
import { deliverySql } from './delivery-sql.ts';
import type { SessionQuota } from './session-quota.ts';
import { seqMax } from './message-row-id.ts';
import { writerPragmas } from './open-database.ts';

/** What the module at `sealer` exports. */
export interface Sealer {
  /** Of `raw` at most `chunkBytes` are in a chunk, and there is at least one. */
  readonly sealDelivery: (
    plain: { readonly dataKey: Uint8Array; readonly meta: Uint8Array; readonly raw: Uint8Array },
    chunkBytes: number,
  ) => { readonly meta: Uint8Array; readonly chunks: readonly Uint8Array[] };
}

export interface DeliveryWorkerData {
  readonly file: string;
  readonly memory: SharedArrayBuffer;
  /** URL of the module that seals. */
  readonly sealer: string;
  readonly pragmas: readonly string[];
  readonly sql: typeof deliverySql;
  readonly quota: SessionQuota;
  readonly seqMax: number;
  readonly rawChunkBytes: number;
}

/**
 * What became of a batch: on disk, save for what `wasStored` says was left out; or `failure`, and nothing of it was
 * stored. `isBroken`: the file can no longer be trusted to take writes.
 */
export interface Landing {
  readonly failure?: Error;
  readonly isBroken?: boolean;
}

interface Failure {
  readonly code?: string;
  readonly message: string;
}

type Message =
  'ready' | { readonly unavailable: Failure } | { readonly failure?: Failure; readonly isBroken?: boolean };

export interface DeliveryThreadOptions {
  readonly file: string;
  /** The module that seals. */
  readonly sealer: URL;
  readonly quota: SessionQuota;
  /** The thread could not be started: deliveries go on being written without it. */
  readonly onUnavailable: (error: Error) => void;
}

export class DeliveryThread {
  readonly #options: DeliveryThreadOptions;
  #batch: DeliveryBatch | undefined;
  #worker: Worker | undefined;
  #started: Promise<void> | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #isReady = false;
  #landed: ((landing: Landing) => void) | undefined;

  constructor(options: DeliveryThreadOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Once; resolves when it is ready, or known that it will not be. */
  start(): Promise<void> {
    this.#started ??= new Promise((resolve) => {
      this.#start(resolve);
    });
    return this.#started;
  }

  /** Whether a record with so many bytes of meta and raw fits into the batch. */
  hasRoom(bytes: number): boolean {
    return this.#batch?.hasRoom(bytes) ?? false;
  }

  /** @throws whatever reading the message throws, and it is left out */
  add(record: DeliveryRecord, raw: Iterable<Uint8Array>): void {
    this.#batch?.add(record, raw);
  }

  /** Has what was added written; then it is empty again. */
  send(landed: (landing: Landing, wasStored: (index: number) => boolean) => void): void {
    const batch = this.#batch;
    if (!batch || this.#landed) throw new Error('No batch can be sent now.');
    this.#landed = (landing) => {
      landed(landing, (index) => batch.wasStored(index));
      batch.clear();
    };
    batch.send();
  }

  async close(): Promise<void> {
    await this.#started;
    this.#isReady = false;
    this.#batch?.close();
    await this.#exited;
  }

  #start(resolve: () => void): void {
    const { file, sealer, quota, onUnavailable } = this.#options;
    try {
      this.#batch = new DeliveryBatch();
      const data: DeliveryWorkerData = {
        ...{ file, memory: this.#batch.memory, sealer: sealer.href, quota },
        ...{ pragmas: writerPragmas, sql: deliverySql, seqMax, rawChunkBytes },
      };
      this.#worker = new Worker(new URL('./delivery-worker.mjs', import.meta.url), { workerData: data });
    } catch (error) {
      onUnavailable(error as Error);
      resolve();
      return;
    }
    this.#exited = new Promise((exited) => this.#worker?.once('exit', exited));
    this.#worker.once('exit', () => {
      this.#lose(new Error('The thread for deliveries ended.'));
    });
    this.#worker.on('message', (message: Message) => {
      if (message === 'ready') this.#isReady = true;
      else if ('unavailable' in message) onUnavailable(toError(message.unavailable));
      else this.#land(message);
      resolve();
    });
    this.#worker.on('error', (error: Error) => {
      resolve();
      this.#lose(error);
      onUnavailable(error);
    });
  }

  /** Whether what it was at is stored nobody knows. */
  #lose(error: Error): void {
    this.#isReady = false;
    if (this.#landed) this.#land({ failure: { message: error.message }, isBroken: true });
  }

  #land({ failure, isBroken = false }: { readonly failure?: Failure; readonly isBroken?: boolean }): void {
    const landed = this.#landed;
    this.#landed = undefined;
    landed?.(failure ? { failure: toError(failure), isBroken } : {});
  }
}

function toError({ code, message }: Failure): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}
