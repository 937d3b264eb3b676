// The few operations on an SQL engine that a small store needs, the same on both engines, and the pieces of SQL in which
// the engines differ. Implemented by SqliteSql and PostgresSql.
//
// A statement is written once. Values have names (`:key`), `:now` is the store's clock, and tables carry their schema
// (`mayfly.blocks`), which the file of SQLite has no need of.

import type { Lease } from '../lease-store.ts';

export interface Statement {
  /** Unique within the service: PostgreSQL prepares statements under it. */
  readonly name: string;
  readonly text: string;
}

export type Value = string | number | boolean | Uint8Array | null;

export type Values = Readonly<Record<string, Value>>;

export interface Sql {
  readonly dialect: Dialect;
  /** Runs a statement that changes nothing. */
  all<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** Returns the first row of `all`. */
  get<Row extends object>(statement: Statement, values?: Values): Promise<Row | undefined>;
  /** Runs a statement that writes; resolves with the rows that it RETURNs once they are on disk. */
  run<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** Runs a statement that writes once with each of the values: on SQLite in one commit, on PostgreSQL in one each. */
  runEach(statement: Statement, each: readonly Values[]): Promise<void>;
  /**
   * Runs statements that write, each on condition of `dialect.isHeld`, in one commit. False, and nothing done, once
   * another node has the lease; where one process owns the store nothing is asked.
   */
  runLeased(lease: Lease, statements: readonly Statement[], values: Values): Promise<boolean>;
  /**
   * Runs the steps in one transaction; resolves with what they return once that is on disk. On SQLite they run without
   * giving up the thread. On PostgreSQL each is a round trip, and a node that dies in between leaves its locks for
   * seconds or more: for what the operator does now and then.
   */
  transaction<T>(steps: () => Steps<T>): Promise<T>;
}

/** The statements of a transaction, each with what the ones before it answered. Written as a generator. */
export type Steps<T> = Generator<Step, T, object[]>;

interface Step {
  readonly statement: Statement;
  readonly values: Values;
}

/** Runs one statement of a transaction: `const rows = yield* step<Row>(statement, values)`. */
export function* step<Row extends object>(statement: Statement, values: Values = {}): Steps<Row[]> {
  return (yield { statement, values }) as Row[];
}

/** What the engines write in different ways. */
export interface Dialect {
  /** The table that says of each session when it ends and how much it holds. */
  readonly sessionStates: string;
  /** Addresses `a` joined to the sessions `s` that hold them, with their states. */
  readonly heldAddresses: string;
  /** Holds for a session `s` that is live. */
  readonly isLive: string;
  /** Holds while no other node has the lease; for the statements of `runLeased`. */
  readonly isHeld: string;
  /** Keeps the rows of a SELECT, from a table called `a`, as they are until the transaction ends. */
  readonly forUpdate: string;
  /** A query whose `done` says whether there was a domain ever, removed ones included. */
  readonly hasEverHadDomain: string;
  readonly gmail: {
    /** The column of an account's login name. */
    readonly login: string;
    /** Holds for a session `s` that has not ended. */
    readonly hasNotEnded: string;
    /** Holds for a cleanup `c` of which every session has ended. */
    readonly isCleanupDue: string;
  };
  /** Text that senders may have chosen: PostgreSQL keeps it as bytes, since its text takes no NUL. */
  readonly toText: (text: string) => string | Uint8Array;
}
