// Ends sessions that are due and gives their space back, in the background: ending destroys keys at once, reclaim
// goes in steps of about 5 ms with rests between them. Started and stopped by app.ts.

import type { Lease } from '../store/lease-store.ts';
import type { MailStore } from '../store/mail-store.ts';

const intervalMs = 1000;
const reclaimStepMs = 5;
/** Between steps: so many times what the last one took. In a database it competes with mail for processors, too. */
const reclaimRest = 6;
/** A step that ran into nothing is no reason to hurry. */
const reclaimPauseMinMs = 20;
/** Until another look where something held the last one up. */
const scrubAgainMs = 30_000;

export interface Sweeper {
  /** Resolves when nothing of it runs any more. */
  close(): Promise<void>;
}

export interface SweepDeps {
  readonly mail: MailStore;
  readonly onError: (error: unknown) => void;
  /** Where nodes share the store: asked before each round, undefined while another node does it. */
  readonly lease?: () => Lease | undefined;
  /** Sessions ended in one commit. By default as many as a store in this process's own thread ends within 50 ms. */
  readonly endedAtOnce?: number;
  /** Between two looks for destroyed keys in the store's log. */
  readonly scrubIntervalMs?: number;
  /** Told after each round that went well. */
  readonly onRound?: (ended: number) => void;
}

export function createSweeper({
  mail,
  onError,
  lease,
  endedAtOnce = 200,
  scrubIntervalMs = 20_000,
  onRound = () => undefined,
}: SweepDeps): Sweeper {
  let isClosed = false;
  const scrubSometimes = createScrubbing(
    () => mail.scrub(),
    scrubIntervalMs,
    (error) => {
      // Closing the store overtakes it.
      if (!isClosed) onError(error);
    },
  );
  const { pause, end: endPauses } = createPause();

  async function endDue(held: Lease | undefined): Promise<number> {
    let [all, ended] = [0, endedAtOnce];
    while (ended === endedAtOnce && !isClosed) {
      ended = await mail.endDueSessions(endedAtOnce, held);
      all += ended;
    }
    return all;
  }

  async function sweep(): Promise<void> {
    // The same for the whole round: the store refuses it at any step once another node has it.
    const held = lease?.();
    if (lease && !held) return pause(intervalMs);
    const ended = await endDue(held);
    scrubSometimes();
    const beganAt = performance.now();
    const hasMore = !isClosed && (await mail.reclaim(reclaimStepMs, held));
    onRound(ended);
    await pause(hasMore ? restAfter(beganAt) : intervalMs);
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
      endPauses();
      return running;
    },
  };
}

function restAfter(beganAt: number): number {
  const tookMs = performance.now() - beganAt;
  return Math.min(intervalMs, Math.max(reclaimPauseMinMs, reclaimRest * tookMs));
}

/** Not waited for: it may take half a minute, and what is due is ended meanwhile. */
function createScrubbing(
  scrub: () => Promise<boolean>,
  everyMs: number,
  onError: (error: unknown) => void,
): () => void {
  let lastAt = performance.now();
  let restMs = everyMs;
  let isRunning = false;
  return () => {
    if (isRunning || performance.now() - lastAt < restMs) return;
    lastAt = performance.now();
    isRunning = true;
    scrub()
      .then((isDone) => {
        restMs = isDone ? everyMs : Math.min(everyMs, scrubAgainMs);
      })
      .catch(onError)
      .finally(() => {
        isRunning = false;
      });
  };
}

/** Rests until the time is over, or all rests are ended for good. */
function createPause(): { pause(this: void, ms: number): Promise<void>; end(this: void): void } {
  let isEnded = false;
  let wakeUp = (): void => undefined;
  return {
    pause: (ms) =>
      new Promise((resolve) => {
        // Ended while it worked: nobody wakes it up any more.
        if (isEnded) {
          resolve();
          return;
        }
        const timer = setTimeout(resolve, ms);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => {
      isEnded = true;
      wakeUp();
    },
  };
}
