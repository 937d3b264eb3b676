// Authenticates mail off the main thread, because hashing a large body takes long and mailauth is not written for
// hostile input. One thread serves all messages; it is started on demand and ended when idle or unresponsive. The
// caller bounds the messages and bytes in progress.

import { type Authentication, unfinishedAuthentication } from '../../mail-receiver/src/authentication.ts';
import type { AuthenticationRequest } from '../../mail-receiver/src/check-authentication.ts';
import type { TurnOwner } from '../../networks/src/fair-queue.ts';
import { WorkerThreads } from '../../threads/src/worker-threads.ts';
import { WorkerPool } from '../../threads/src/worker-pool.ts';
import type { AuthenticationWorkerData } from './authentication-protocol.ts';

export interface MessageAuthenticatorOptions {
  /** `address`, `address:port` or `[address]:port`; empty for the machine's own. */
  readonly servers: readonly string[];
  /** For all look-ups of a message together. */
  readonly timeoutMs: number;
  /** A thread that has used this much processor time without an answer is ended, and its requests fail. */
  readonly giveUpMs?: number;
  /** An idle thread ends after this. */
  readonly idleMs?: number;
  /** The built authentication-worker, for tests that run the sources. */
  readonly workerUrl?: URL;
  /** Called when the thread was ended or died, or a check failed. For the log; contains no part of the message. */
  readonly onFault: (fault: { readonly detail: string }) => void;
}

export interface MessageAuthenticator {
  /**
   * Takes ownership of `raw`, whose buffer must contain nothing else. Never rejects; resolves with undefined when there
   * was no time for the check.
   */
  authenticate(request: AuthenticationRequest): Promise<Authentication | undefined>;
  /** Ends the thread; requests in progress resolve with undefined. */
  close(): Promise<void>;
}

const heapMaxMb = 128;
/** More than the caller ever has in progress, so that requests queue at the caller and not here. */
const perThread = 64;
const allOwners: TurnOwner = { session: '', network: '' };

/** Closed, or overloaded. */
class NoTurn extends Error {}

export function createMessageAuthenticator(options: MessageAuthenticatorOptions): MessageAuthenticator {
  const { servers, timeoutMs, workerUrl, giveUpMs = 10_000, idleMs = 60_000, onFault } = options;
  const workerData: AuthenticationWorkerData = { servers, timeoutMs };
  const threads = new WorkerThreads<AuthenticationRequest, Authentication>({
    workerUrl: workerUrl ?? new URL('./authentication-worker.js', import.meta.url),
    workerData,
    threads: 1,
    perThread,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
    // mailauth prints to the console for some signatures.
    isSilent: true,
  });
  const pool = new WorkerPool({
    threads,
    refuse: (message) => new NoTurn(message),
    timeBudgetMs: giveUpMs,
    queuedMax: 1000,
    perSession: perThread,
    perNetwork: perThread,
  });
  let isClosed = false;
  return {
    async authenticate(request) {
      const { buffer } = request.raw;
      const transfer = buffer instanceof ArrayBuffer ? [buffer] : [];
      try {
        const outcome = await pool.run({ owner: allOwners, request, transfer });
        if (outcome.kind === 'answer') return outcome.answer;
        if (isClosed) return undefined;
        onFault({ detail: outcome.detail });
        return outcome.cause === 'slow' ? undefined : unfinishedAuthentication('the check failed');
      } catch (error) {
        if (error instanceof NoTurn) return undefined;
        throw error;
      }
    },
    close: () => {
      isClosed = true;
      pool.close();
      return threads.close();
    },
  };
}
