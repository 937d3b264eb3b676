// The differences between a single server (single-server.ts) and a schema that Citus distributes (citus/cluster.ts). The
// rest of the engine uses this port and does not ask which it is.

import type pg from 'pg';

import type { Lookup } from '#postgres/batched-lookup';
import type { Connections, Statement } from '#postgres/connections';
import type { Syntax } from '../sql/sql.ts';
import type { DeliverySettings } from './delivery/delivery-batch.ts';
import type { DeliveryGroups, DeliveryGroupsOptions } from './delivery/delivery-groups.ts';
import type { SessionRow } from './session-row.ts';

/** Group commits. */
export type Groups = Pick<DeliveryGroups, 'deliver' | 'close'>;

export interface SessionLookups {
  readonly byKey: Lookup<Uint8Array, SessionRow>;
  readonly byAddress: Lookup<Uint8Array, SessionRow>;
}

export interface PathOptions {
  /** The URL of the connections. */
  readonly url: string;
  readonly isPrepared: boolean;
  /** For groups on the connections. */
  readonly groups: DeliveryGroupsOptions;
  /** Called when a machine stops responding or responds again. */
  readonly onReachable: (isReachable: boolean, error: unknown) => void;
}

/** The way to the rows of sessions. */
export interface Path {
  /** Its `close` also closes connections that the path has opened. */
  readonly groups: Groups;
  /** Returns the look-ups to use, given those on the connections. */
  readonly createLookups: (own: SessionLookups) => SessionLookups;
  /** False when no machine with sessions responds, besides the one of the connections. */
  isReachable(): boolean;
}

export interface TriedConnections extends DeliverySettings {
  readonly connections: Connections;
  readonly writers: Connections;
}

export interface Topology {
  readonly syntax: Syntax;
  openPath(options: PathOptions): Promise<Path>;
  readonly engine: 'PostgreSQL' | 'Citus';
  /** Returns one row with the server's `version`, and the `bytes` of the database on all machines. */
  readonly measure: Statement;
  /** The statement whose success shows that the database is served again. */
  readonly proof: Statement;
  /** Runs the statements of receiving and reading, for no session. */
  tryStatements(parts: TriedConnections): readonly Promise<unknown>[];
  /** Whether events may reach the outbox after their commit. */
  readonly queuesLate: boolean;
  /** Brings events that are not in the outbox yet there. */
  takeNews(connections: Pick<Connections, 'write'>): Promise<void>;
  /** Removes what takeNews left, now and then. */
  tidyNews(connections: Pick<Connections, 'write'>): Promise<void>;
  dropPartition(client: pg.Client, table: string, partition: string): Promise<void>;
}
