// A schema that Citus distributes: sessions and addresses are on the workers, what only nodes use is on the coordinator,
// and statements about both are in two steps.

import { readNow } from '../database/store-clock.ts';
import { syntax } from '../single-server.ts';
import type { Topology } from '../topology.ts';
import { openCluster } from './open-cluster.ts';
import { forgetTakenNews, takeNews } from './outbox-news.ts';

export const cluster: Topology = {
  syntax: {
    ...syntax,
    // Addresses and their sessions are on different machines, and accounts on the coordinator.
    heldAddresses: { from: 'mayfly.sessions s', key: 's.address_key', isHeld: 'true' },
    gmail: {
      ...syntax.gmail,
      areSessionsApart: true,
      isCleanupDue: `c.id NOT IN (
        SELECT w.cleanup_id FROM mayfly.gmail_cleanup_sessions w JOIN mayfly.sessions s ON s.key = w.session_key
        WHERE s.ended_at IS NULL)`,
    },
  },
  engine: 'Citus',
  // The workers have databases of the same name.
  measure: {
    name: 'mayfly_measure_cluster',
    text: `SELECT current_setting('server_version') AS version,
      (SELECT sum(result::bigint)::bigint FROM run_command_on_all_nodes(
        'SELECT pg_database_size(current_database())') WHERE success) AS bytes`,
  },
  openPath: openCluster,
  // A statement for no session would still fail with any of the workers.
  proof: readNow,
  tryStatements: () => [],
  queuesLate: true,
  takeNews,
  tidyNews: forgetTakenNews,
  // Citus cannot detach partitions concurrently.
  dropPartition: async (client, _table, partition) => {
    await client.query(`DROP TABLE IF EXISTS mayfly.${partition}`);
  },
};
