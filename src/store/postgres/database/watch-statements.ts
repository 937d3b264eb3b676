// Regularly runs the statements on which receiving and reading depend, for no session: a node that has been taken out
// of service gets no calls that would show that the database serves it again. Their outcomes go to StatementHealth, as
// those of all statements do. Compares the clocks on the way. Owned by open-postgres-store.ts.

import { setTimeout as delay } from 'node:timers/promises';

import type { Topology, TriedConnections } from '../topology.ts';
import type { StoreClock } from './store-clock.ts';

export interface WatchedStatements extends TriedConnections {
  readonly clock: StoreClock;
  readonly topology: Pick<Topology, 'tryStatements'>;
}

const intervalMs = 2000;
/** While they fail, so that the end of an outage is noticed soon. */
const failingMs = 500;

export function watchStatements(options: WatchedStatements): { close(): Promise<void> } {
  const closing = new AbortController();
  const { signal } = closing;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // The outcomes are noted where the statements run.
      const outcomes = await Promise.allSettled(askAll(options));
      const isServed = outcomes.every(({ status }) => status === 'fulfilled');
      const restMs = isServed ? intervalMs : failingMs;
      await Promise.allSettled([delay(restMs, undefined, { ref: false, signal })]);
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

function askAll({ clock, topology, ...tried }: WatchedStatements): Promise<unknown>[] {
  return [clock.read(), ...topology.tryStatements(tried)];
}
