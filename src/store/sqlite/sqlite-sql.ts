// Sql on the SQLite file: reads at once, writes in the group commit, so that what resolves is on disk.

import type Database from 'better-sqlite3';

import type { Dialect, Sql, Statement, Steps, Values } from '../sql/sql.ts';

const dialect: Dialect = {
  sessionStates: 'session_states',
  heldAddresses: `addresses a JOIN sessions s ON s.id = a.session_id
    JOIN session_states t ON t.session_id = s.id`,
  isLive: `EXISTS (SELECT 1 FROM session_states t
    WHERE t.session_id = s.id AND t.ended_at IS NULL AND t.expires_at > :now)`,
  toText: (text) => text,
};

export interface SqliteSqlOptions {
  readonly database: Database.Database;
  /** Runs the work in a transaction; resolves with what it returned once that is on disk. */
  readonly write: <T>(work: () => T) => Promise<T>;
  /** Instant in ms since 1970. */
  readonly clock: () => number;
}

export class SqliteSql implements Sql {
  readonly dialect = dialect;
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
