// Ends sessions that are due and gives their space back, in the background: ending destroys keys at once, reclaim
// goes in steps of at most 5 ms of the store's thread. Started and stopped by app.ts.

import type { MailStore } from '../store/mail-store.ts';

const intervalMs = 1000;
/** Sessions ended in one commit. */
const endedAtOnce = 200;
const reclaimStepMs = 5;
/** Between steps: reclaim takes at most a fifth of the thread. */
const reclaimPauseMs = 20;
/** Destroyed keys are gone from the store's log within this. */
const scrubIntervalMs = 20_000;

export interface Sweeper {
  /** Resolves when nothing of it runs any more. */
  close(): Promise<void>;
}

export interface SweepDeps {
  readonly mail: MailStore;
  readonly onError: (error: unknown) => void;
  /** Told after each round that went well. */
  readonly onRound?: (ended: number) => void;
}

export function createSweeper({ mail, onError, onRound = () => undefined }: SweepDeps): Sweeper {
  let isClosed = false;
  let wakeUp = (): void => undefined;
  let lastScrubAt = performance.now();

  async function pause(ms: number): Promise<void> {
    // Closed while it worked: nobody wakes it up any more.
    if (isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function endDue(): Promise<number> {
    let all = 0;
    for (let ended = endedAtOnce; ended === endedAtOnce && !isClosed; all += ended) {
      ended = await mail.endDueSessions(endedAtOnce);
    }
    return all;
  }

  async function scrubSometimes(): Promise<void> {
    if (performance.now() - lastScrubAt < scrubIntervalMs) return;
    lastScrubAt = performance.now();
    await mail.scrub();
  }

  async function sweep(): Promise<void> {
    const ended = await endDue();
    await scrubSometimes();
    const hasMore = !isClosed && (await mail.reclaim(reclaimStepMs));
    onRound(ended);
    await pause(hasMore ? reclaimPauseMs : intervalMs);
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      try {
        await sweep();
      } catch (error) {
        onError(error);
        await pause(intervalMs);
      }
    }
  }

  const running = run();
  return {
    close: () => {
      isClosed = true;
      wakeUp();
      return running;
    },
  };
}
