// Authentication of mail off the main thread: hashing a large body takes long, and mailauth is not made for hostile
// input. One thread for all messages, started on need, ended when idle or when it does not answer. Called by
// service/message-authentications, which bounds how many messages and bytes are here at once. Knows no store.

import { type Authentication, unfinishedAuthentication } from '../domain/authentication.ts';
import { MayflyError } from '../domain/mayfly-error.ts';
import type { TurnOwner } from '../threads/fair-queue.ts';
import { WorkerPool } from '../threads/worker-pool.ts';
import { WorkerThreads } from '../threads/worker-threads.ts';
import type { AuthenticationWorkerData } from './authentication-protocol.ts';
import type { AuthenticationRequest } from './check-authentication.ts';

export interface MessageAuthenticatorOptions {
  /** `address`, `address:port` or `[address]:port`; empty for the machine's own. */
  readonly servers: readonly string[];
  /** For all look-ups of a message together. */
  readonly timeoutMs: number;
  /** A thread that has used so much of a processor without an answer is ended, and what it had comes to nothing. */
  readonly giveUpMs?: number;
  /** An idle thread ends after this. */
  readonly idleMs?: number;
  /** Built JavaScript of authentication-worker, for tests that run the sources. */
  readonly workerUrl?: URL;
  /** Told when the thread was ended or died, or a check failed, for the log; holds nothing of the message. */
  readonly onFault?: (fault: { readonly detail: string }) => void;
}

export interface MessageAuthenticator {
  /**
   * The authenticator owns `raw` from then on, whose buffer must hold nothing else. Never rejects; undefined when
   * there was no time for it, which says nothing of the message.
   */
  authenticate(request: AuthenticationRequest): Promise<Authentication | undefined>;
  /** Ends the thread; what it had comes to nothing. */
  close(): Promise<void>;
}

const maxHeapMb = 128;
/** More than there are at once: the caller lets in so many, and whose turn it is was decided there. */
const perThread = 64;
const allOwners: TurnOwner = { session: '', network: '' };

export function createMessageAuthenticator(options: MessageAuthenticatorOptions): MessageAuthenticator {
  const { servers, timeoutMs, workerUrl, giveUpMs = 10_000, idleMs = 60_000, onFault } = options;
  const workerData: AuthenticationWorkerData = { servers, timeoutMs };
  const threads = new WorkerThreads<AuthenticationRequest, Authentication>({
    workerUrl: workerUrl ?? new URL('./authentication-worker.js', import.meta.url),
    workerData,
    ...{ threads: 1, perThread, idleMs },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // mailauth prints at some signatures.
    isSilent: true,
  });
  const pool = new WorkerPool({
    ...{ threads, timeBudgetMs: giveUpMs, maxQueued: 1000 },
    ...{ perSession: perThread, perNetwork: perThread },
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
        onFault?.({ detail: outcome.detail });
        return outcome.cause === 'slow' ? undefined : unfinishedAuthentication('the check failed');
      } catch (error) {
        // Closed, or more than anything lets in: no time for it.
        if (error instanceof MayflyError) return undefined;
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
