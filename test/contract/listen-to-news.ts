// A PostgreSQL store that hears the news of other nodes, for the contract. Used on one server and on a Citus cluster.

import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';

export interface Listening {
  readonly store: PostgresStore;
  readonly close: () => Promise<void>;
}

/** As the service runs it: with news of other nodes heard, a store believes for a while what it has seen. */
export function listenToNews(store: PostgresStore): Listening {
  const errors: unknown[] = [];
  const channel = store.shared.createWakeChannel({
    onWake: () => undefined,
    onGap: () => undefined,
    onError: (error) => errors.push(error),
  });
  return {
    store,
    close: async () => {
      await channel.close();
      await store.close();
      if (errors.length > 0) throw new AggregateError(errors, 'The wake channel failed.');
    },
  };
}
