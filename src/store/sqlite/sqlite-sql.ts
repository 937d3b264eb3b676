// Sql on the SQLite file: reads are immediate, writes go through the group commit, so that they are on disk when
// resolved.

import type { Database } from '#group-commit/driver';

import type { Lease } from '../lease-store.ts';
import type { Syntax, Sql, Statement, Steps, Values } from '../sql/sql.ts';

const syntax: Syntax = {
  sessionStates: 'session_states',
  heldAddresses: {
    from: 'addresses a JOIN sessions s ON s.id = a.session_id JOIN session_states t ON t.session_id = s.id',
    key: 'a.address_key',
    isHeld: 'a.free_at IS NULL',
  },
  isLive: `EXISTS (SELECT 1 FROM session_states t
    WHERE t.session_id = s.id AND t.ended_at IS NULL AND t.expires_at > :now)`,
  isHeld: 'true',
  forUpdate: '',
  hasEverHadDomain: "SELECT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'domains') AS done",
  // An ended session has no salt; a trigger counts down what waits for it (0007-gmail.sql).
  gmail: {
    login: 'user',
    hasNotEnded: 's.salt IS NOT NULL',
    areSessionsApart: false,
    isCleanupDue: 'c.waiting = 0',
  },
  toText: (text) => text,
};

export interface SqliteSqlOptions {
  readonly database: Database.Database;
  /** Runs the work in a transaction; resolves with its result once that is on disk. */
  readonly write: <T>(work: () => T) => Promise<T>;
  /** Instant in ms since 1970. */
  readonly clock: () => number;
}

export class SqliteSql implements Sql {
  readonly syntax = syntax;
  readonly #options: SqliteSqlOptions;
  readonly #prepared = new Map<string, Database.Statement<[object], object>>();

  constructor(options: SqliteSqlOptions) {
    this.#options = options;
  }

  async all<Row extends object>(statement: Statement, values: Values = {}): Promise<Row[]> {
    return Promise.resolve(this.#execute(statement, values, this.#options.clock()) as Row[]);
  }

  async get<Row extends object>(statement: Statement, values: Values = {}): Promise<Row | undefined> {
    const [row] = await this.all<Row>(statement, values);
    return row;
  }

  run<Row extends object>(statement: Statement, values: Values = {}): Promise<Row[]> {
    const { write, clock } = this.#options;
    return write(() => this.#execute(statement, values, clock()) as Row[]);
  }

  async runEach(statement: Statement, each: readonly Values[]): Promise<void> {
    const { write, clock } = this.#options;
    await write(() => {
      for (const values of each) this.#execute(statement, values, clock());
    });
  }

  /** One process owns the file and so every lease. */
  async runLeased(_lease: Lease, statements: readonly Statement[], values: Values): Promise<boolean> {
    const { write, clock } = this.#options;
    await write(() => {
      const now = clock();
      for (const statement of statements) this.#execute(statement, values, now);
    });
    return true;
  }

  transaction<T>(steps: () => Steps<T>): Promise<T> {
    const { write, clock } = this.#options;
    return write(() => {
      const now = clock();
      const running = steps();
      let next = running.next();
      while (next.done !== true) {
        next = running.next(this.#execute(next.value.statement, next.value.values, now));
      }
      return next.value;
    });
  }

  #execute({ name, text }: Statement, values: Values, now: number): object[] {
    let prepared = this.#prepared.get(name);
    if (!prepared) {
      prepared = this.#options.database.prepare<[object], object>(text.replaceAll('mayfly.', ''));
      this.#prepared.set(name, prepared);
    }
    const bound = { ...toBound(values), now };
    if (prepared.reader) return prepared.all(bound);
    prepared.run(bound);
    return [];
  }
}

/** SQLite has no booleans. */
function toBound(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  );
}
