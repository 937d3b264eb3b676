// Regularly runs the statements on which receiving and reading depend, for no session: a node that has been taken out
// of service gets no calls that would show that the database serves it again. Their outcomes go to StatementHealth, as
// those of all statements do. Compares the clocks on the way. Owned by open-postgres-store.ts.

import { setTimeout as delay } from 'node:timers/promises';

import { toByteaArray } from './binary-array.ts';
import type { Connections } from './connections.ts';
import { type DeliverySettings, toGroupValues } from './delivery-batch.ts';
import type { StoreClock } from './store-clock.ts';
import { deliverGroup, findHolders, findSessions } from './statements.ts';

export interface WatchedStatements extends DeliverySettings {
  readonly connections: Connections;
  readonly writers: Connections;
  readonly clock: StoreClock;
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

function askAll({ connections, writers, clock, now, ...settings }: WatchedStatements): Promise<unknown>[] {
  const nothing = [now(), toByteaArray([])];
  return [
    clock.read(),
    connections.query(findSessions, nothing),
    connections.query(findHolders, nothing),
    writers.query(deliverGroup, toGroupValues({ ...settings, now }, [])),
  ];
}
