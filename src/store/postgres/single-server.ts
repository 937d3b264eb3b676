// A schema on one PostgreSQL server: every statement may join what it likes.

import { toByteaArray } from '#postgres/binary-array';
import type { Syntax } from '../sql/sql.ts';
import { toGroupValues } from './delivery/delivery-batch.ts';
import { DeliveryGroups } from './delivery/delivery-groups.ts';
import { deliverGroup, findHolders, findSessions } from './statements.ts';
import type { Topology } from './topology.ts';

export const syntax: Syntax = {
  sessionStates: 'mayfly.sessions',
  heldAddresses: {
    from: 'mayfly.addresses a JOIN mayfly.sessions s ON s.key = a.session_key',
    key: 'a.address_key',
    isHeld: 'a.free_at IS NULL',
  },
  isLive: 's.ended_at IS NULL AND s.expires_at > :now',
  isHeld: 'EXISTS (SELECT 1 FROM fence)',
  forUpdate: 'FOR UPDATE OF a',
  hasEverHadDomain: 'SELECT is_called AS done FROM mayfly.domains_id_seq',
  gmail: {
    login: 'login',
    hasNotEnded: 's.ended_at IS NULL',
    areSessionsApart: false,
    isCleanupDue: `NOT EXISTS (
      SELECT 1 FROM mayfly.gmail_cleanup_sessions w JOIN mayfly.sessions s ON s.key = w.session_key
      WHERE w.cleanup_id = c.id AND s.ended_at IS NULL)`,
  },
  toText: (text) => Buffer.from(text),
};

export const singleServer: Topology = {
  syntax,
  engine: 'PostgreSQL',
  measure: {
    name: 'mayfly_measure',
    text: "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes",
  },
  openPath: ({ groups }) =>
    Promise.resolve({
      groups: new DeliveryGroups(groups),
      createLookups: (own) => own,
      isReachable: () => true,
    }),
  proof: deliverGroup,
  tryStatements: ({ connections, writers, now, ...settings }) => {
    const nothing = [now(), toByteaArray([])];
    return [
      connections.query(findSessions, nothing),
      connections.query(findHolders, nothing),
      writers.query(deliverGroup, toGroupValues({ ...settings, now }, [])),
    ];
  },
  // The functions that write events also write the outbox.
  queuesLate: false,
  takeNews: () => Promise.resolve(),
  tidyNews: () => Promise.resolve(),
  dropPartition: async (client, table, partition) => {
    const { rows } = await client.query<{ is_pending: boolean | null }>(
      `SELECT i.inhdetachpending AS is_pending FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
       WHERE c.oid = to_regclass($1)`,
      [`mayfly.${partition}`],
    );
    const [found] = rows;
    if (!found) return;
    if (found.is_pending !== null) {
      const how = found.is_pending ? 'FINALIZE' : 'CONCURRENTLY';
      await client.query(`ALTER TABLE mayfly.${table} DETACH PARTITION mayfly.${partition} ${how}`);
    }
    await client.query(`DROP TABLE mayfly.${partition}`);
  },
};
