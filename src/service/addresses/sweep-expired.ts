// Ends due sessions and reclaims their space in the background, in steps of about 5 ms with pauses in between.

import { createPause } from '#networks/pause';
import type { Lease } from '../../store/lease-store.ts';
import type { MailStore } from '../../store/mail-store.ts';

const intervalMs = 1000;
const reclaimStepMs = 5;
/**
 * A pause lasts this many times the step before it; even in a database server, steps compete with mail for processors.
 */
const reclaimRest = 6;
/** The shortest pause. */
const reclaimPauseMinMs = 20;

export interface Sweeper {
  /** Resolves when all its work has stopped. */
  close(): Promise<void>;
}

export interface SweepDeps {
  readonly mail: MailStore;
  readonly onError: (error: unknown) => void;
  /** Where nodes share the store: called before each round; undefined while another node sweeps. */
  readonly lease?: () => Lease | undefined;
  /** Sessions ended in one commit; by default as many as a store in this thread ends within 50 ms. */
  readonly endedAtOnce?: number;
  /** Called after each successful round. */
  readonly onRound: (ended: number) => void;
}

export function createSweeper({ mail, onError, lease, endedAtOnce = 200, onRound }: SweepDeps): Sweeper {
  const closing = new AbortController();
  const pause = createPause(closing.signal);

  async function endDue(held: Lease | undefined): Promise<number> {
    let [all, ended] = [0, endedAtOnce];
    while (ended === endedAtOnce && !closing.signal.aborted) {
      ended = await mail.endDueSessions(endedAtOnce, held);
      all += ended;
    }
    return all;
  }

  async function sweep(): Promise<unknown> {
    // One lease for the whole round: the store refuses it at any step once another node has it.
    const held = lease?.();
    if (lease && !held) return pause.rest(intervalMs);
    const ended = await endDue(held);
    const beganAt = performance.now();
    const hasMore = !closing.signal.aborted && (await mail.reclaim(reclaimStepMs, held));
    onRound(ended);
    return pause.rest(hasMore ? restAfter(beganAt) : intervalMs);
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await sweep();
      } catch (error) {
        onError(error);
        await pause.rest(intervalMs);
      }
    }
  }

  const running = run();
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
}

function restAfter(beganAt: number): number {
  const tookMs = performance.now() - beganAt;
  return Math.min(intervalMs, Math.max(reclaimPauseMinMs, reclaimRest * tookMs));
}
