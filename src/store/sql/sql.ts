// The few operations on an SQL engine that a small store needs, the same on both engines, and the pieces of SQL in which
// the engines differ. Implemented by SqliteSql and PostgresSql.
//
// A statement is written once. Values have names (`:key`), `:now` is the store's clock, and tables carry their schema
// (`mayfly.blocks`), which the file of SQLite has no need of.

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
  /**
   * Runs the steps in one transaction; resolves with what they return once that is on disk. On SQLite they run without
   * giving up the thread, on PostgreSQL one round trip each.
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
  /** Text that senders may have chosen: PostgreSQL keeps it as bytes, since its text takes no NUL. */
  readonly toText: (text: string) => string | Uint8Array;
}
