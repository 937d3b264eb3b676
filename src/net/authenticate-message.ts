// Authentication of mail off the main thread: hashing a large body takes long, and mailauth is not made for hostile
// input. One thread for all messages, started on need, ended when idle or when it does not answer. Called by
// service/message-authentications, which bounds how many messages and bytes are here at once. Knows no store.

import { Worker } from 'node:worker_threads';

import { type Authentication, unfinishedAuthentication } from '../domain/authentication.ts';
import type { AuthenticationAnswer, AuthenticationWorkerData } from './authentication-protocol.ts';
import type { AuthenticationRequest } from './check-authentication.ts';

export interface MessageAuthenticatorOptions {
  /** `address`, `address:port` or `[address]:port`; empty for the machine's own. */
  readonly servers: readonly string[];
  /** For all look-ups of a message together. */
  readonly timeoutMs: number;
  /** A thread that has not answered within this is ended, and what it had comes to nothing. */
  readonly giveUpMs?: number;
  /** An idle thread ends after this. */
  readonly idleMs?: number;
  /** Built JavaScript of authentication-worker, for tests that run the sources. */
  readonly workerUrl?: URL;
  /** Told when the thread was ended or died, or a check failed, for the log; holds nothing of the message. */
  readonly onFault?: (fault: { readonly detail: string }) => void;
}

export interface MessageAuthenticator {
  /** The authenticator owns `raw` from then on, whose buffer must hold nothing else. Never rejects. */
  authenticate(request: AuthenticationRequest): Promise<Authentication>;
  /** Ends the thread; what it had comes to nothing. */
  close(): Promise<void>;
}

interface Waiting {
  readonly settle: (authentication: Authentication) => void;
  readonly timer: NodeJS.Timeout;
}

const maxHeapMb = 128;

export function createMessageAuthenticator(options: MessageAuthenticatorOptions): MessageAuthenticator {
  return new AuthenticationThread(options);
}

class AuthenticationThread implements MessageAuthenticator {
  readonly #options: MessageAuthenticatorOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  #isClosed = false;

  constructor(options: MessageAuthenticatorOptions) {
    this.#options = options;
  }

  authenticate(request: AuthenticationRequest): Promise<Authentication> {
    if (this.#isClosed) return Promise.resolve(unfinishedAuthentication('the service is shutting down'));
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    worker.ref();
    const { buffer } = request.raw;
    worker.postMessage({ id, request }, buffer instanceof ArrayBuffer ? [buffer] : []);
    return new Promise((settle) => {
      const giveUpMs = this.#options.giveUpMs ?? 10_000 + this.#options.timeoutMs;
      const timer = setTimeout(() => {
        this.#lose(worker, `no answer within ${giveUpMs / 1000} s`);
      }, giveUpMs);
      this.#waiting.set(id, { settle, timer });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.#ending;
  }

  #start(): Worker {
    const { servers, timeoutMs, workerUrl } = this.#options;
    const workerData: AuthenticationWorkerData = { servers, timeoutMs };
    const worker = new Worker(workerUrl ?? new URL('./authentication-worker.js', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      env: {},
      argv: [],
      execArgv: [],
      // mailauth prints at some signatures; standard output is the operator's.
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: AuthenticationAnswer) => {
      this.#hear(worker, answer);
    });
    worker.on('error', (error) => {
      this.#lose(worker, error.message);
    });
    worker.on('exit', (code) => {
      this.#lose(worker, `exit code ${code}`);
    });
    return worker;
  }

  #hear(worker: Worker, answer: AuthenticationAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    if (worker !== this.#worker || !waiting) return;
    clearTimeout(waiting.timer);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#rest(worker);
    if ('failure' in answer) this.#options.onFault?.({ detail: answer.failure });
    waiting.settle(
      'failure' in answer ? unfinishedAuthentication('the check failed') : answer.authentication,
    );
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idleTimer = setTimeout(() => {
      this.#end();
    }, this.#options.idleMs ?? 60_000).unref();
  }

  #lose(worker: Worker, detail: string): void {
    if (worker !== this.#worker) return;
    this.#options.onFault?.({ detail });
    this.#end();
  }

  /** The next message starts another thread. */
  #end(): void {
    clearTimeout(this.#idleTimer);
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker) this.#ending = Promise.all([this.#ending, worker.terminate()]);
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { settle, timer } of lost) {
      clearTimeout(timer);
      settle(unfinishedAuthentication('the check did not come to an end'));
    }
  }
}
