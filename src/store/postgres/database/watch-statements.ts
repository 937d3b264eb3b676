// Regularly runs the statements on which receiving and reading depend, for no session: a node that has been taken out
// of service gets no calls that would show that the database serves it again. Their outcomes go to StatementHealth, as
// those of all statements do. Compares the clocks on the way. Owned by open-postgres-store.ts.

import { setTimeout as delay } from 'node:timers/promises';

import { toByteaArray } from '../delivery/binary-array.ts';
import type { Connections, Statement } from './connections.ts';
import { type DeliverySettings, toGroupValues } from '../delivery/delivery-batch.ts';
import { readNow, type StoreClock } from './store-clock.ts';
import { deliverGroup, findHolders, findSessions } from '../statements.ts';

export interface WatchedStatements extends DeliverySettings {
  readonly connections: Connections;
  readonly writers: Connections;
  readonly clock: StoreClock;
  /** By Citus: then a statement for no session would still fail with any of the workers. */
  readonly isDistributed: boolean;
}

/** The statement whose success shows that the database is served again. */
export function proofOfService(isDistributed: boolean): Statement {
  return isDistributed ? readNow : deliverGroup;
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

function askAll(options: WatchedStatements): Promise<unknown>[] {
  const { connections, writers, clock, isDistributed, now, ...settings } = options;
  if (isDistributed) return [clock.read()];
  const nothing = [now(), toByteaArray([])];
  return [
    clock.read(),
    connections.query(findSessions, nothing),
    connections.query(findHolders, nothing),
    writers.query(deliverGroup, toGroupValues({ ...settings, now }, [])),
  ];
}
