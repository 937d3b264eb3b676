// A statement that the server itself ends after a while. The limit travels with the statement, in the same round trip
// and the same implicit transaction, because a setting of the connection is refused or lost by poolers in transaction
// mode. Without it a statement whose node died would wait for a lock for as long as the lock is held.

import pg from 'pg';

/** The part of pg's connection that sends messages; pg's types lack it. */
interface Messages {
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string }): void;
  execute(message: object): void;
}

/** The methods of pg's query that its types lack. */
interface PreparedQuery {
  prepare(connection: Messages): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
}

export interface TimedQueryConfig {
  readonly text: string;
  /** Empty to parse the statement anew each time. */
  readonly name: string;
  readonly values: unknown[];
  readonly limitMs: number;
}

const Base = pg.Query as unknown as new (config: object, done: Done) => pg.Query & PreparedQuery;
type Done = (error: Error | undefined | null, result: pg.QueryResult) => void;

/** Connections on which the statement for the limit has a name. */
const withLimit = new WeakSet();
const limitName = 'mayfly_limit';

/** Sets the limit of the transaction and returns no rows. */
function toLimit(limitMs: number): string {
  return `SELECT 1 WHERE set_config('statement_timeout', '${limitMs}', true) IS NULL`;
}

class TimedQuery extends Base {
  readonly #limitMs: number;
  readonly #isNamed: boolean;
  #isLimited = false;

  constructor({ limitMs, name, ...rest }: TimedQueryConfig, done: Done) {
    super({ ...rest, ...(name === '' ? {} : { name }), queryMode: 'extended' }, done);
    this.#limitMs = limitMs;
    this.#isNamed = name !== '';
  }

  override prepare(connection: Messages): void {
    const name = this.#isNamed ? limitName : '';
    if (!this.#isNamed || !withLimit.has(connection)) {
      connection.parse({ name, text: toLimit(this.#limitMs) });
      if (this.#isNamed) withLimit.add(connection);
    }
    connection.bind({ statement: name });
    connection.execute({});
    super.prepare(connection);
  }

  /** The first completion is the limit's. */
  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#isLimited) super.handleCommandComplete(message, connection);
    this.#isLimited = true;
  }
}

/** Outside a transaction. A name must always have the same limit. */
export function queryWithin<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  config: TimedQueryConfig,
): Promise<pg.QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    client.query(
      new TimedQuery(config, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      }),
    );
  });
}
