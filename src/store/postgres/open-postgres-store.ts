// Opens a PostgreSQL database as all the ports, which share its connections and the group commit. Any number of nodes
// may have the same database open.

import { setTimeout as delay } from 'node:timers/promises';

import { Connections, probe, withConnection } from '#postgres/connections';
import { Reachability } from '#postgres/reachability';
import { StatementHealth } from '#postgres/statement-health';
import type { SessionKey } from '../../domain/session.ts';
import type { OutboxSettings } from '../jobs-store.ts';
import type { SessionQuota } from '../mail-store.ts';
import { CopyRefused, type StoreCopy } from '../store-copy.ts';
import type { StoreObserver } from '../store-observer.ts';
import {
  type DatabaseServer,
  openSqlStores,
  type SharedStore,
  type StoreMeasure,
  type Stores,
} from '../stores.ts';
import { checkDatabase, refuseUnfinishedCopy, UnfitDatabaseError } from './database/check-database.ts';
import { asCallersError, unavailable } from './database/callers-error.ts';
import type { DeliverySettings } from './delivery/delivery-batch.ts';
import { createAddCleanup } from './gmail-cleanups.ts';
import { KnownHolders } from './known-holders.ts';
import { NewerSchemaError } from './database/migrate.ts';
import { PartitionKeeper } from './partition-keeper.ts';
import { PostgresAttemptStore } from './postgres-attempt-store.ts';
import { PostgresJobsStore } from './postgres-jobs-store.ts';
import { PostgresLeaseStore } from './postgres-lease-store.ts';
import { PostgresMailStore } from './postgres-mail-store.ts';
import { PostgresNodeStore } from './postgres-node-store.ts';
import { PostgresOperatorMailbox } from './postgres-operator-mailbox.ts';
import { PostgresSql } from './postgres-sql.ts';
import { prepareSchema } from './prepare-schema.ts';
import { StoreClock } from './database/store-clock.ts';
import { toKey } from './session-row.ts';
import { endSomeOf } from './statements.ts';
import type { Groups, Topology } from './topology.ts';
import { createWakeChannel } from './wake-channel.ts';
import { watchStatements } from './database/watch-statements.ts';

export interface PostgresStoreOptions {
  readonly url: string;
  /** Reaches the same database without a pooler in transaction mode; `url` when there is none. */
  readonly directUrl: string | undefined;
  /** False where prepared statements do not outlive a transaction. */
  readonly isPrepared: boolean;
  readonly quota: SessionQuota;
  readonly operatorMailbox: { readonly messagesMax: number; readonly bytesMax: number };
  /** The maximum lifetime of a session, extensions included. */
  readonly totalLifetimeMs: number;
  /** The webhooks for which the outbox is filled. */
  readonly outbox: OutboxSettings;
  /** The number of deliveries in progress but not yet handed over, for which the group commit waits a moment. */
  readonly writesExpected: () => number;
  /** Called after each commit of this node that may have extended a session's log. */
  readonly onNews: (key: SessionKey) => void;
  /** Called after each commit of this node that ended the session. */
  readonly onEnded: (key: SessionKey) => void;
  /** Called when the database stops responding or executing statements, or does so again. */
  readonly onReachable: (isReachable: boolean, error: unknown) => void;
  /** Receives warnings for the operator, in one line. */
  readonly onWarning: (warning: string) => void;
  readonly observer: StoreObserver;
  /** For tests, ms since 1970. By default time is the database's. */
  readonly clock?: () => number;
}

/** `shared` is set: any number of nodes may have the database open. */
export type PostgresStore = Stores & { readonly shared: SharedStore };

const groupsAtOnce = 2;
const otherConnections = 8;
/** After this time whatever remains is cut off. */
const closeMs = 10_000;
const endedAtOnce = 200;
/** The maximum delay until a node sees another node's change to the domains. */
const domainsBelievedMs = 1000;

/** @throws NewerSchemaError, UnfitDatabaseError, or errors of pg when it cannot connect */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const directUrl = options.directUrl ?? options.url;
  const topology = await withConnection(directUrl, async (client) => {
    const warning = await checkDatabase(client);
    const prepared = await prepareSchema(client);
    await refuseUnfinishedCopy(client);
    if (warning !== undefined) options.onWarning(warning);
    return prepared;
  });
  return createParts(options, { directUrl, topology });
}

/** Reports whether opening fails until the operator changes something. */
export function isLastingFault(error: unknown): boolean {
  return error instanceof NewerSchemaError || error instanceof UnfitDatabaseError;
}

/** Opens the connections and watches whether the database is reachable. */
function createLink(options: PostgresStoreOptions, { proof }: Topology) {
  const health = new StatementHealth({ onChange: options.onReachable, proof: proof.name });
  const reachability = new Reachability({
    probe: () => probe(options.url),
    onChange: (isReachable, error) => {
      if (!isReachable) health.recordOutage(error);
    },
  });
  const connect = (max: number): Connections =>
    new Connections({
      url: options.url,
      max,
      isPrepared: options.isPrepared,
      onLost: () => {
        reachability.suspect();
      },
      isReachable: () => reachability.isReachable,
      health,
      unavailable,
    });
  return { reachability, health, connections: connect(otherConnections), writers: connect(groupsAtOnce) };
}

interface MailParts extends ReturnType<typeof createLink> {
  readonly settings: DeliverySettings;
  readonly attempts: PostgresAttemptStore;
  readonly holders: KnownHolders;
  readonly clock: StoreClock;
  readonly topology: Topology;
}

interface Place {
  readonly directUrl: string;
  readonly topology: Topology;
}

async function createMail(
  options: PostgresStoreOptions,
  parts: MailParts,
): Promise<{ mail: PostgresMailStore; isReachable: () => boolean }> {
  const { onNews, onEnded, writesExpected, observer } = options;
  const { settings, attempts, holders, reachability, health, connections, writers } = parts;
  const { clock, topology } = parts;
  const settle = (ms: number): Promise<boolean> => reachability.settle(ms);
  const groupOptions = {
    ...settings,
    connections: writers,
    writesExpected,
    settle,
    groupsAtOnce,
    observer,
  };
  const { groups, createLookups, ...path } = await topology.openPath({
    groups: groupOptions,
    url: options.url,
    isPrepared: options.isPrepared,
    onReachable: options.onReachable,
  });
  const watch = watchStatements({ ...settings, connections, writers, clock, topology });
  const mail = new PostgresMailStore({
    ...settings,
    connections,
    groups,
    holders,
    settle,
    onNews,
    onEnded,
    observer,
    createLookups,
    close: createClose({ attempts, groups, reachability, watch, pools: [connections, writers] }),
  });
  const isReachable = (): boolean => reachability.isReachable && health.isServing && path.isReachable();
  return { mail, isReachable };
}

async function createParts(options: PostgresStoreOptions, place: Place): Promise<PostgresStore> {
  const { topology } = place;
  const now = (): number | null => options.clock?.() ?? null;
  const link = createLink(options, topology);
  const { connections } = link;
  const settings: DeliverySettings = { quota: options.quota, outboxRows: toOutboxRows(options.outbox), now };
  const attempts = new PostgresAttemptStore({ connections, now });
  const holders = new KnownHolders({ now });
  const clock = new StoreClock({ connections, now });
  await clock.read();
  const parts = { ...link, settings, attempts, holders, clock, topology };
  const { mail, isReachable } = await createMail(options, parts);
  const endSessionsOf = async (suffix: Uint8Array | null, accountId: number | null): Promise<number> => {
    const ended = await endAllOf(connections, [now(), suffix, accountId], settings.outboxRows);
    mail.recordEnded(ended);
    return ended.length;
  };
  return {
    mail,
    attempts,
    jobs: new PostgresJobsStore({ connections, now, topology }),
    ...openSqlStores({
      sql: new PostgresSql({ connections, now, syntax: topology.syntax }),
      domainsBelievedMs,
      endSessions: {
        ofDomain: (name) => endSessionsOf(Buffer.from(`@${name}`), null),
        ofAccount: (id) => endSessionsOf(null, id),
      },
      addCleanup: createAddCleanup(connections),
    }),
    operatorMailbox: new PostgresOperatorMailbox({ connections, now, ...options.operatorMailbox }),
    copy: noCopy,
    shared: createShared(options, { ...place, connections, now, holders }),
    isReachable,
    now: () => clock.now(),
    takesWrites: () => true,
    measure: () => measure(connections, topology),
    readFigures: () => undefined,
    close: () => mail.close(),
  };
}

async function measure(connections: Connections, topology: Topology): Promise<StoreMeasure> {
  const [row] = await asCallersError(connections.read<MeasureRow>(topology.measure, []));
  return { engine: topology.engine, version: row?.version ?? '', bytes: Number(row?.bytes ?? 0) };
}

interface MeasureRow {
  readonly version: string;
  readonly bytes: number;
}

/** Counts connections to all its databases, since they share the limit. */
const serverQuery = {
  name: 'mayfly_server',
  text: `SELECT ARRAY(SELECT name FROM unnest(ARRAY['fsync', 'full_page_writes', 'synchronous_commit']) AS name
      WHERE current_setting(name) = 'off') AS off,
    (SELECT coalesce(sum(numbackends), 0)::int FROM pg_stat_database) AS connections,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS "connectionsMax"`,
};

async function readServer(connections: Connections): Promise<DatabaseServer> {
  const [row] = await asCallersError(connections.read<DatabaseServer & object>(serverQuery, []));
  if (!row) throw new Error('The database returned no settings.');
  return row;
}

interface SharedParts extends Place {
  readonly connections: Connections;
  readonly now: () => number | null;
  readonly holders: KnownHolders;
}

function createShared(
  { totalLifetimeMs }: PostgresStoreOptions,
  { connections, directUrl, topology, now, holders }: SharedParts,
): SharedStore {
  return {
    leases: new PostgresLeaseStore({ connections, now }),
    nodes: new PostgresNodeStore(new PostgresSql({ connections, now, syntax: topology.syntax })),
    partitions: new PartitionKeeper({
      connections,
      now,
      url: directUrl,
      totalLifetimeMs,
      topology,
    }),
    readServer: () => readServer(connections),
    createWakeChannel: ({ onWake, onGap, onError }) =>
      createWakeChannel({
        connections,
        listenUrl: directUrl,
        onError,
        onWake: (key) => {
          holders.forget(key);
          onWake(key);
        },
        onGap: () => {
          holders.clear();
          onGap();
        },
        onListening: (isListening) => {
          holders.listen(isListening);
        },
      }),
  };
}

/** Refuses: PostgreSQL has its own backup tools. */
const noCopy: StoreCopy = {
  make: () =>
    Promise.reject(
      new CopyRefused('A PostgreSQL store is backed up by its own tools: see docs/postgres.md.'),
    ),
};

/** Added if this node has no operator's endpoint configured (functions/webhooks.sql). */
const noOperatorFlag = 2 ** 30;

function toOutboxRows(outbox: OutboxSettings): number {
  if (!outbox.operator && !outbox.sessions) return 0;
  return Math.min(outbox.rowsPerEndpoint, 1e9) + (outbox.operator ? 0 : noOperatorFlag);
}

/** Ends all sessions in batches, and returns their keys. */
async function endAllOf(
  connections: Connections,
  which: readonly (number | Uint8Array | null)[],
  outboxRows: number,
): Promise<readonly SessionKey[]> {
  const ended: SessionKey[] = [];
  for (;;) {
    const values = [...which, endedAtOnce, outboxRows];
    const rows = await asCallersError(connections.write<{ key: Buffer }>(endSomeOf, values));
    ended.push(...rows.map(({ key }) => toKey(key)));
    if (rows.length < endedAtOnce) return ended;
  }
}

interface Closing {
  readonly attempts: PostgresAttemptStore;
  readonly groups: Groups;
  readonly reachability: Reachability;
  readonly watch: { close(): Promise<void> };
  readonly pools: readonly Connections[];
}

function createClose({ attempts, groups, reachability, watch, pools }: Closing): () => Promise<void> {
  return async () => {
    const closing = (async () => {
      await Promise.all([attempts.flush(), groups.close()]);
      await Promise.all([reachability.close(), watch.close()]);
      await Promise.all(pools.map((pool) => pool.close()));
    })();
    await Promise.race([closing, delay(closeMs, undefined, { ref: false })]);
  };
}
