// An open store: the bundle of its ports, which both engines return. The service, the operator's commands and the
// tests take their ports from it. A new small port is added to SqlStores.

import type { AuditStore } from '#audit/entry';
import type { PasskeyStore } from '#passkeys/passkey';
import type { SessionKey } from '../domain/session.ts';
import type { AttemptStore } from './attempt-store.ts';
import type { BlockStore } from './block-store.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { GmailStore } from './gmail-store.ts';
import type { InboundStore } from './inbound-store.ts';
import type { JobsStore } from './jobs-store.ts';
import type { KeyStore } from './key-store.ts';
import type { Lease, LeaseStore } from './lease-store.ts';
import type { MailStore } from './mail-store.ts';
import type { NodeStore } from './node-store.ts';
import type { OperatorMailbox } from './operator-mailbox.ts';
import type { PasswordStore } from './password-store.ts';
import type { QueueStore } from './queue-store.ts';
import type { RecordStore } from './record-store.ts';
import type { RefusalStore } from './refusal-store.ts';
import type { ServerKeyStore } from './server-key-store.ts';
import type { SessionFinder } from './session-finder.ts';
import type { SessionTextStore } from './session-text-store.ts';
import type { Sql } from './sql/sql.ts';
import { SqlAuditStore } from './sql/sql-audit-store.ts';
import { SqlBlockStore } from './sql/sql-block-store.ts';
import { SqlDirectoryStore } from './sql/sql-directory-store.ts';
import { SqlGmailStore, type SqlGmailStoreOptions } from './sql/sql-gmail-store.ts';
import { SqlInboundStore } from './sql/sql-inbound-store.ts';
import { SqlKeyStore } from './sql/sql-key-store.ts';
import { SqlPasskeyStore } from './sql/sql-passkey-store.ts';
import { SqlPasswordStore } from './sql/sql-password-store.ts';
import { SqlQueueStore } from './sql/sql-queue-store.ts';
import { SqlRecordStore } from './sql/sql-record-store.ts';
import { SqlRefusalStore } from './sql/sql-refusal-store.ts';
import { SqlServerKeyStore } from './sql/sql-server-key-store.ts';
import { SqlStatisticsStore } from './sql/sql-statistics-store.ts';
import { SqlSessionFinder } from './sql/sql-session-finder.ts';
import { SqlSessionTextStore } from './sql/sql-session-text-store.ts';
import type { StatisticsStore } from './statistics-store.ts';
import type { StoreCopy } from './store-copy.ts';
import type { StoreFigures } from './store-observer.ts';

/** Ports with one implementation for both engines. */
export interface SqlStores {
  readonly audit: AuditStore;
  readonly blocks: BlockStore;
  readonly directory: DirectoryStore;
  readonly finder: SessionFinder;
  readonly gmail: GmailStore;
  readonly inbound: InboundStore;
  readonly keys: KeyStore;
  readonly passkeys: PasskeyStore;
  readonly passwords: PasswordStore;
  readonly pushes: SessionTextStore;
  readonly queue: QueueStore;
  readonly records: RecordStore;
  readonly refusals: RefusalStore;
  readonly serverKeys: ServerKeyStore;
  readonly sentKeys: SessionTextStore;
  readonly shares: SessionTextStore;
  readonly statistics: StatisticsStore;
}

export interface SqlStoresOptions extends Pick<SqlGmailStoreOptions, 'addCleanup'> {
  readonly sql: Sql;
  /** How far the list of domains may lag behind changes by other nodes; Infinity where there are none. */
  readonly domainsBelievedMs: number;
  /** Each ends live sessions, wakes their readers and resolves with how many there were. */
  readonly endSessions: {
    ofDomain(name: string): Promise<number>;
    ofAccount(id: number): Promise<number>;
  };
}

export function openSqlStores(options: SqlStoresOptions): SqlStores {
  const { sql, endSessions, addCleanup } = options;
  return {
    directory: new SqlDirectoryStore({
      sql,
      believedMs: options.domainsBelievedMs,
      endSessionsOf: (name) => endSessions.ofDomain(name),
    }),
    gmail: new SqlGmailStore({ sql, addCleanup, endSessionsOf: (id) => endSessions.ofAccount(id) }),
    audit: new SqlAuditStore(sql),
    blocks: new SqlBlockStore(sql),
    finder: new SqlSessionFinder(sql),
    inbound: new SqlInboundStore(sql),
    keys: new SqlKeyStore(sql),
    passkeys: new SqlPasskeyStore(sql),
    passwords: new SqlPasswordStore(sql),
    pushes: new SqlSessionTextStore(sql, 'pushes'),
    queue: new SqlQueueStore(sql),
    records: new SqlRecordStore(sql),
    refusals: new SqlRefusalStore(sql),
    sentKeys: new SqlSessionTextStore(sql, 'sent_keys'),
    serverKeys: new SqlServerKeyStore(sql),
    shares: new SqlSessionTextStore(sql, 'shares'),
    statistics: new SqlStatisticsStore(sql),
  };
}

export interface Stores extends SqlStores {
  readonly mail: MailStore;
  readonly attempts: AttemptStore;
  readonly jobs: JobsStore;
  readonly operatorMailbox: OperatorMailbox;
  readonly copy: StoreCopy;
  /** Undefined where one process owns the store. */
  readonly shared: SharedStore | undefined;
  isReachable(): boolean;
  /** False while the disk refuses writes; a database server whose disk does counts as not reachable. */
  takesWrites(): boolean;
  /** The clock of the store, ms since 1970. All nodes share it, so whatever one makes and others check uses it. */
  readonly now: () => number;
  /** Tells the engine and its size, asked for anew. */
  measure(): Promise<StoreMeasure>;
  /** Returns undefined for a database server, which has its own metrics. */
  readFigures(): StoreFigures | undefined;
  /** Finishes the writes in progress. */
  close(): Promise<void>;
}

export interface StoreMeasure {
  readonly engine: 'SQLite' | 'PostgreSQL' | 'Citus';
  readonly version: string;
  /** On disk, with its logs if they are its own; over all machines of a cluster. */
  readonly bytes: number;
}

/** Parts that only nodes sharing a store need. */
export interface SharedStore {
  readonly leases: LeaseStore;
  readonly nodes: NodeStore;
  readonly partitions: Partitions;
  readServer(): Promise<DatabaseServer>;
  createWakeChannel(listener: WakeListener): WakeChannel;
}

/** How the database server is set up, where it matters to mail and to the number of nodes. */
export interface DatabaseServer {
  /** Settings without which a crash of its machine loses or ruins what was committed. */
  readonly off: readonly string[];
  readonly connections: number;
  readonly connectionsMax: number;
}

/** The daily partitions of sessions. */
export interface Partitions {
  /** Creates the partitions of the coming days. */
  makeAhead(lease: Lease): Promise<void>;
  /** Drops past ones; returns their numbers. */
  dropPassed(lease: Lease): Promise<number[]>;
}

export interface WakeListener {
  /** Called when another node has news of the session. */
  readonly onWake: (key: SessionKey) => void;
  /** Called when news may have been missed: every reader has to look. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
}

/** Notifies the other nodes of sessions with news. */
export interface WakeChannel {
  /** Cheap; never waits. */
  announce(key: SessionKey): void;
  close(): Promise<void>;
}
