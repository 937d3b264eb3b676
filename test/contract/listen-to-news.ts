// Opens a PostgreSQL store that receives news from other nodes, for the contract. Used on one server and on a Citus
// cluster.

import type { PostgresStore } from '../../src/store/postgres/open-postgres-store.ts';

export interface Listening {
  readonly store: PostgresStore;
  readonly close: () => Promise<void>;
}

/** As in service: while news from other nodes arrive, the store caches what it has read. */
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
