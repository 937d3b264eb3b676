// A client of the service for one test: its waits end before the test does, and those left over are abandoned.

import type { TestInfo } from '@playwright/test';
import { type Inbox, Mayfly, MayflyError, MayflyUnreachable } from 'mayfly-client';

import { attachMail } from './attach-mail.ts';
import type { Camera } from './camera.ts';
import { within } from './within.ts';

/** Milliseconds to retry while the service does not answer: enough for one that is starting. */
export const patience = 15_000;
/** Milliseconds to retry while it answers that it is busy: it is there, and the fixture has a minute. */
const busyPatience = 40_000;
const endTimeout = 5000;
const defaultWait = 30_000;

interface Ending {
  readonly name: 'inbox' | 'mailbox';
  readonly camera: Camera;
}

export class TestClient {
  readonly #testInfo: TestInfo;
  readonly #mayfly: Mayfly;
  /** Incremented when a test ends. */
  #era = 0;

  constructor(testInfo: TestInfo, url: string, apiKey: string | undefined) {
    this.#testInfo = testInfo;
    this.#mayfly = new Mayfly({
      url,
      patience,
      timeout: waitTimeout(testInfo.timeout),
      fetch: (input, init) => this.#fetch(input, init),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  }

  /** @throws MayflyUnreachable with advice; MayflyError */
  async create<T extends Inbox>(make: (mayfly: Mayfly) => Promise<T>): Promise<T> {
    for (const until = Date.now() + busyPatience; ;) {
      try {
        return await make(this.#mayfly);
      } catch (error) {
        // The client has waited as `Retry-After` says, for as long as its own patience.
        if (isBusy(error) && Date.now() < until) continue;
        if (!(error instanceof MayflyUnreachable)) throw error;
        const hint = 'Set MAYFLY_URL or `use: { mayflyUrl }`, or start `npx mayfly dev` by `webServer`.';
        throw new MayflyUnreachable(`${error.message}\n${hint}`, { cause: error.cause });
      }
    }
  }

  /** A failure here is not the test's: it is reported in addition to the test's result and never replaces it. */
  async finish(inbox: Inbox, { name, camera }: Ending): Promise<void> {
    this.#era++;
    const { annotations } = this.#testInfo;
    if (hasFailed(this.#testInfo)) {
      await attachMail(this.#testInfo, { name, inbox, camera });
    }
    try {
      await within(endTimeout, inbox.end());
    } catch (error) {
      const until = inbox.expiresAt.toISOString();
      const description = `${inbox.email} could not be ended and stays until ${until}: ${String(error)}`;
      annotations.push({ type: 'mayfly', description });
    }
  }

  /**
   * A wait that outlasts its test would fail when the inbox ends, and look like an error of the test. Instead, it
   * never gets an answer.
   */
  async #fetch(...request: Parameters<typeof fetch>): Promise<Response> {
    const era = this.#era;
    const isCurrent = (): boolean => era === this.#era;
    try {
      const response = await fetch(...request);
      return isCurrent() ? response : await never();
    } catch (error) {
      if (isCurrent()) throw error;
      return never();
    }
  }
}

/** Shorter than the test's own time-out, so that a wait can explain itself first. */
function waitTimeout(testTimeout: number): number {
  return testTimeout === 0 ? defaultWait : Math.min(defaultWait, Math.ceil((testTimeout * 2) / 3));
}

function isBusy(error: unknown): boolean {
  return error instanceof MayflyError && (error.status === 429 || error.status === 503);
}

function hasFailed({ status, expectedStatus }: TestInfo): boolean {
  return status !== expectedStatus && status !== 'interrupted' && status !== 'skipped';
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
