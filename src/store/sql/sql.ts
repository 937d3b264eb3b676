// The operations on an SQL engine that small stores need, the same on both engines, and the pieces of SQL that differ
// between them. Implemented by SqliteSql and PostgresSql. A statement is written once. Values have names (`:key`),
// `:now` is the store's clock, and tables carry their schema (`mayfly.blocks`), which SQLite does not need.

import type { Lease } from '../lease-store.ts';

export interface Statement {
  /** Unique within the service: PostgreSQL prepares statements by it. */
  readonly name: string;
  readonly text: string;
}

export type Value = string | number | boolean | Uint8Array | null;

export type Values = Readonly<Record<string, Value>>;

export interface Sql {
  readonly syntax: Syntax;
  /** Runs a read-only statement. */
  all<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** Returns the first row of `all`. */
  get<Row extends object>(statement: Statement, values?: Values): Promise<Row | undefined>;
  /** Runs a writing statement; resolves with the rows of its RETURNING once they are on disk. */
  run<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** Runs a writing statement once per set of values: in one commit on SQLite, in one each on PostgreSQL. */
  runEach(statement: Statement, each: readonly Values[]): Promise<void>;
  /**
   * Runs writing statements, each conditional on `syntax.isHeld`, in one commit. Resolves with false, having done
   * nothing, once another node has the lease; not checked where one process owns the store.
   */
  runLeased(lease: Lease, statements: readonly Statement[], values: Values): Promise<boolean>;
  /**
   * Runs the steps in one transaction; resolves with their result once it is on disk. On SQLite they run without
   * yielding the thread. On PostgreSQL each is a round trip, and a node that dies in between leaves its locks for
   * seconds or more, so it is meant for the operator's rare changes.
   */
  transaction<T>(steps: () => Steps<T>): Promise<T>;
}

/** The statements of a transaction, each with the results of those before it. Written as a generator. */
export type Steps<T> = Generator<Step, T, object[]>;

interface Step {
  readonly statement: Statement;
  readonly values: Values;
}

/** Runs one statement of a transaction: `const rows = yield* step<Row>(statement, values)`. */
export function* step<Row extends object>(statement: Statement, values: Values = {}): Steps<Row[]> {
  return (yield { statement, values }) as Row[];
}

/** SQL that differs between the engines. */
export interface Syntax {
  /** The table with each session's end and size. */
  readonly sessionStates: string;
  /** Sessions `s` with their states, joined to the addresses they hold, and which column is an address's key. */
  readonly heldAddresses: { readonly from: string; readonly key: string; readonly isHeld: string };
  /** True for a session `s` that is live. */
  readonly isLive: string;
  /** True while no other node has the lease; for the statements of `runLeased`. */
  readonly isHeld: string;
  /** Locks the rows of a SELECT from a table `a` until the transaction ends. */
  readonly forUpdate: string;
  /** A query whose `done` says whether there ever was a domain, including removed ones. */
  readonly hasEverHadDomain: string;
  readonly gmail: {
    /** The column of an account's login name. */
    readonly login: string;
    /** True for a session `s` that has not ended. */
    readonly hasNotEnded: string;
    /** Whether sessions are on other machines than accounts, so that they are counted apart. */
    readonly areSessionsApart: boolean;
    /** True for a cleanup `c` whose sessions have all ended. */
    readonly isCleanupDue: string;
  };
  /** Converts text that senders may have chosen: PostgreSQL stores it as bytes, since its text type excludes NUL. */
  readonly toText: (text: string) => string | Uint8Array;
}
