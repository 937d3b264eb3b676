// AttemptStore on PostgreSQL. Strangers determine how often attempts are added, so all attempts within a second share
// one commit, and the queue is bounded. Made by open-postgres-store.ts.

import { toByteaArray, toInt8Array } from '#postgres/binary-array';
import type { Connections } from '#postgres/connections';
import { attemptLogMaxEntries } from '../../domain/attempt.ts';
import type { SessionKey } from '../../domain/session.ts';
import type { AttemptStore, StoredAttempt } from '../attempt-store.ts';
import { asCallersError, unavailable } from './database/callers-error.ts';
import { addAttempts, findBucket, listAttempts } from './statements.ts';

export interface PostgresAttemptStoreOptions {
  readonly connections: Connections;
  readonly now: () => number | null;
}

const longestWaitMs = 1000;
const atOnce = 100;
const waitingMax = 5000;

interface WaitingAttempt {
  readonly key: SessionKey;
  readonly sealed: Uint8Array;
  readonly at: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export class PostgresAttemptStore implements AttemptStore {
  readonly #options: PostgresAttemptStoreOptions;
  readonly #waiting: WaitingAttempt[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: PostgresAttemptStoreOptions) {
    this.#options = options;
  }

  addAttempt(key: SessionKey, sealed: Uint8Array): Promise<void> {
    if (this.#waiting.length >= waitingMax) {
      return Promise.reject(unavailable(new Error('Too many attempts are waiting.')));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, sealed, at: this.#instant(), resolve, reject });
      if (this.#waiting.length >= atOnce) void this.flush();
      this.#timer ??= setTimeout(() => {
        void this.flush();
      }, longestWaitMs).unref();
    });
  }

  async listAttempts(key: SessionKey): Promise<StoredAttempt[]> {
    await this.flush();
    const { connections } = this.#options;
    const [session] = await asCallersError(connections.read<{ bucket: number }>(findBucket, [key]));
    if (!session) return [];
    return asCallersError(
      connections.read<{ at: number; sealed: Buffer }>(listAttempts, [session.bucket, key]),
    );
  }

  /** Resolves when everything added earlier is settled. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#commit());
    return this.#flushing;
  }

  /** Settles each attempt; never rejects. */
  async #commit(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, atOnce);
      const now = this.#instant();
      const values = [
        this.#options.now(),
        toByteaArray(group.map(({ key }) => key)),
        // Our clock may be off by minutes, so the age is subtracted from the database's clock.
        toInt8Array(group.map(({ at }) => Math.round(now - at))),
        toByteaArray(group.map(({ sealed }) => sealed)),
        attemptLogMaxEntries,
      ];
      try {
        await asCallersError(this.#options.connections.write(addAttempts, values));
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
  }

  #instant(): number {
    return this.#options.now() ?? performance.now();
  }
}
