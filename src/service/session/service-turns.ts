// Turns at work that a process limits, shared fairly between sessions and networks. Made once, in the
// composition root.

import { unavailable } from '../../domain/mayfly-error.ts';
import { FairLane } from '#networks/fair-lane';

export interface ServiceTurns {
  /** Whole messages in memory for parsing, by size; below the parser's own limit. */
  readonly wholeMail: WholeMailTurns;
  readonly sessionTexts: FairLane;
  readonly passwords: FairLane;
}

interface WholeMailTurns {
  readonly small: FairLane;
  readonly medium: FairLane;
  readonly large: FairLane;
}

/** @param passwordsAtOnce derivations, each of which takes a processor for a tenth of a second */
export function createServiceTurns(passwordsAtOnce: number): ServiceTurns {
  return {
    wholeMail: {
      small: new FairLane({
        refuse: unavailable,
        atOnce: 64,
        perSession: 4,
        perNetwork: 32,
        perSite: 48,
        waitingMax: 2000,
      }),
      medium: new FairLane({
        refuse: unavailable,
        atOnce: 4,
        perSession: 1,
        perNetwork: 2,
        perSite: 3,
        waitingMax: 500,
      }),
      large: new FairLane({
        refuse: unavailable,
        atOnce: 1,
        perSession: 1,
        perNetwork: 1,
        perSite: 1,
        waitingMax: 500,
      }),
    },
    sessionTexts: new FairLane({
      refuse: unavailable,
      atOnce: 64,
      perSession: 1,
      perNetwork: 32,
      perSite: 48,
      waitingMax: 2000,
      busyMessage: 'Too many changes of sessions are under way.',
    }),
    passwords: new FairLane({
      refuse: unavailable,
      atOnce: passwordsAtOnce,
      // One per network and site: its wrong tries are counted before the next begins.
      perSession: 1,
      perNetwork: 1,
      perSite: 1,
      waitingMax: 500,
      waitMaxMs: 60_000,
      busyMessage: 'Too many passwords are being checked at once.',
    }),
  };
}
