// A bounded pool of connections to PostgreSQL that runs statements within time limits. Only this file uses the pg
// pool. Behind a pooler in transaction mode nothing may persist on a connection, so no settings are ever changed.

import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { faultKindOf, isOfMachineBehind, unavailable } from './database-fault.ts';

export interface Statement {
  /** The prepared statement's name on each connection; a name always has the same text. */
  readonly name: string;
  readonly text: string;
}

export type Values = readonly (string | number | bigint | boolean | Uint8Array | null)[];

export type Run = <Row extends object>(statement: Statement, values: Values) => Promise<Row[]>;

export interface ConnectionsOptions {
  readonly url: string;
  readonly max: number;
  /** False behind a pooler that gives each transaction another connection and does not track prepared statements. */
  readonly isPrepared: boolean;
  /** Called when a connection was lost or could not be opened. */
  readonly onLost: () => void;
  /** While it returns false, calls fail at once. */
  readonly isReachable: () => boolean;
}

/**
 * The time limits for a connection, including the wait for a free one, and for a statement; together they stay below
 * the 10 s within which a 451 must be sent.
 */
const connectMs = 3000;
const statementMs = 4000;
/** The most callers waiting for a connection, so that memory stays flat whatever the database does. */
const waitingMax = 5000;
const collisionsMax = 5;
/** Before the first repetition; each further one waits that much longer. */
const collisionWaitMs = 10;
const int8Oid = 20;

/** Our sums and instants stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8Oid ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as never,
};

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #pool: pg.Pool;
  #waiting = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      ...toClientConfig(options.url),
      max: options.max,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
    });
    // From idle connections; the pool has dropped them.
    this.#pool.on('error', options.onLost);
    // From connections in use: the current statement reports the error, and without a listener the process would exit.
    this.#pool.on('connect', (client) => {
      client.on('error', options.onLost);
    });
  }

  /** Runs one statement in its own transaction. @throws errors of pg, or MayflyError unavailable */
  query<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    return this.#withClient((client) => this.#run<Row>(client, statement, values));
  }

  /** Like `query`, but repeats the statement when it was rolled back because of another transaction. */
  async write<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.query<Row>(statement, values);
      } catch (error) {
        if (attempt === collisionsMax || faultKindOf(error) !== 'collided') throw error;
        await delay(attempt * collisionWaitMs);
      }
    }
  }

  /** Like `write`, for repeatable statements, so that a dead connection does not fail the caller either. */
  async read<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    try {
      return await this.write<Row>(statement, values);
    } catch (error) {
      if (faultKindOf(error) !== 'lost' || !this.#options.isReachable()) throw error;
      return this.query<Row>(statement, values);
    }
  }

  /** Commits when `work` resolves. After a `lost` error the transaction may have been committed nevertheless. */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      const run: Run = (statement, values) => this.#run(client, statement, values);
      await this.#run(client, begin, []);
      try {
        const result = await work(run);
        await this.#run(client, commit, []);
        return result;
      } catch (error) {
        if (!isLost(error)) await this.#run(client, rollback, []);
        throw error;
      }
    });
  }

  /** Runs several statements without values in one round trip and one transaction. */
  async script(text: string): Promise<void> {
    await this.#withClient((client) => withinTime(client, client.query(text)));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    if (!this.#options.isReachable()) throw unavailable(new Error('The database does not answer.'));
    if (this.#waiting >= waitingMax) {
      throw unavailable(new Error('Too many calls are waiting for the database.'));
    }
    this.#waiting += 1;
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      this.#options.onLost();
      // Nothing was sent.
      throw faultKindOf(error) === 'lost' ? unavailable(error) : error;
    } finally {
      this.#waiting -= 1;
    }
    let isBroken = true;
    try {
      const result = await work(client);
      isBroken = false;
      return result;
    } catch (error) {
      const kind = faultKindOf(error);
      isBroken = isLost(error);
      if (isBroken || kind === 'busy') this.#options.onLost();
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async #run<Row extends object>(
    client: pg.ClientBase,
    { name, text }: Statement,
    values: Values,
  ): Promise<Row[]> {
    const isNamed = this.#options.isPrepared && name !== '';
    const query = {
      text,
      ...(isNamed ? { name } : {}),
      ...(values.length > 0 ? { values: [...values] } : {}),
    };
    const { rows } = await withinTime(client, client.query<Row>(query));
    return rows;
  }
}

/** Whether the connection itself is lost, not only the statement. */
function isLost(error: unknown): boolean {
  return faultKindOf(error) === 'lost' && !isOfMachineBehind(error);
}

const begin: Statement = { name: '', text: 'BEGIN' };
const commit: Statement = { name: '', text: 'COMMIT' };
const rollback: Statement = { name: '', text: 'ROLLBACK' };

/** Destroys a connection that does not respond in time; its statement then rejects as lost. */
export async function withinTime<T>(client: pg.ClientBase, answer: Promise<T>, ms = statementMs): Promise<T> {
  const timer = setTimeout(() => {
    cut(client);
  }, ms);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

/** Sends no termination message, because the server may not respond. */
export function cut(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Configures pg.Client and pg.Pool. Without a password in the URL, pg would look for a file of its own. */
function toClientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'mayfly',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  };
}

/** Opens a separate connection for long use: LISTEN, migrations, DDL. The caller ends it. */
export async function connectAlone(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...toClientConfig(url), connectionTimeoutMillis: connectMs });
  // Without a listener, an error between statements would end the process; the next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Runs `work` on a separate connection. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAlone(url);
  try {
    return await work(client);
  } finally {
    // The connection may be closed already.
    await Promise.allSettled([client.end()]);
  }
}

const tooManyConnections = '53300';

/** Rejects when the database does not respond or is a replica. A database with all connections in use passes. */
export async function probe(url: string): Promise<void> {
  try {
    await withConnection(url, async (client) => {
      const answer = client.query<{ is_replica: boolean }>('SELECT pg_is_in_recovery() AS is_replica');
      const { rows } = await withinTime(client, answer, connectMs);
      if (rows[0]?.is_replica) throw new Error('The database is a replica.');
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== tooManyConnections) throw error;
  }
}
