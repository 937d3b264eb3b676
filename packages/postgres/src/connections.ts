// A bounded pool of connections to PostgreSQL that runs statements within time limits. Only this file uses the pg
// pool. Behind a pooler in transaction mode nothing may persist on a connection, so no settings are ever changed.

import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';

import { cancelStatement } from './connections/cancel-statement.ts';
import { codeOf } from '../../system-errors/src/error-code.ts';
import { AnsweredLateError, faultKindOf, isOfMachineBehind } from './fault-kind.ts';
import type { StatementHealth } from './statement-health.ts';
import { queryWithin } from './connections/timed-query.ts';

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
  readonly health: StatementHealth;
  /** Returns the error for a call that is refused before anything is sent; its code is `unavailable`. */
  readonly unavailable: (cause: unknown) => Error;
}

/**
 * The time limits for a connection, including the wait for a free one, and for a statement: after the first the server
 * ends it, so that its outcome is known; after the second it is cancelled there; after the third the connection is cut.
 * Together they stay below the 10 s within which a 451 must be sent.
 */
const connectMs = 3000;
const statementMs = 3000;
const cancelMs = 4000;
const cutMs = 5500;
/** A lost connection that took longer to be noticed leaves no time for a second attempt. */
const readAgainMs = 1000;
/** The most callers waiting for a connection, so that memory stays flat whatever the database does. */
const waitingMax = 5000;
const collisionsMax = 5;
/** Before the first repetition; each further one waits that much longer. */
const collisionWaitMs = 10;
/** On a separate connection, where most statements take milliseconds. */
const aloneMs = 60_000;
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

  /** Runs one statement in its own transaction. @throws errors of pg, or `unavailable` */
  query<Row extends object>(statement: Statement, values: Values): Promise<Row[]> {
    return this.#withClient(async (client, isPrepared) => {
      const config = {
        text: statement.text,
        values: [...values],
        limitMs: statementMs,
        name: isPrepared ? statement.name : '',
      };
      const answer = queryWithin<Row>(client, config);
      return (await this.#observe(statement.name, withinTime(client, answer))).rows;
    });
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
    const startedAt = performance.now();
    try {
      return await this.write<Row>(statement, values);
    } catch (error) {
      const isLate = performance.now() - startedAt > readAgainMs;
      if (isLate || faultKindOf(error) !== 'lost' || !this.#options.isReachable()) throw error;
      return this.query<Row>(statement, values);
    }
  }

  /**
   * Commits when `work` resolves. After a `lost` error the transaction may have been committed nevertheless. `work` may
   * be called twice.
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T> {
    return this.#withClient(async (client, isPrepared) => {
      const run: Run = async <Row extends object>({ name, text }: Statement, values: Values) => {
        const query = { text, values: [...values], ...(isPrepared && name !== '' ? { name } : {}) };
        return (await this.#observe(name, withinTime(client, client.query<Row>(query)))).rows;
      };
      await this.#observe('begin', withinTime(client, client.query(begin)));
      try {
        const result = await work(run);
        await this.#observe('commit', withinTime(client, client.query('COMMIT')));
        return result;
      } catch (error) {
        if (!mustBeDropped(client, error)) await withinTime(client, client.query('ROLLBACK'));
        throw error;
      }
    });
  }

  /** Runs several statements without values in one round trip and one transaction. */
  async script(text: string): Promise<void> {
    await this.#withClient((client) => withinTime(client, client.query(`${begin}; ${text}; COMMIT`)));
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Repeats the work unprepared if a prepared statement no longer fits the schema: then nothing was done. */
  async #withClient<T>(work: (client: pg.PoolClient, isPrepared: boolean) => Promise<T>): Promise<T> {
    const { isPrepared } = this.#options;
    try {
      return await this.#withOne((client) => work(client, isPrepared));
    } catch (error) {
      if (!isPrepared || faultKindOf(error) !== 'outdated') throw error;
      return this.#withOne((client) => work(client, false));
    }
  }

  async #withOne<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let isBroken = true;
    try {
      const result = await work(client);
      isBroken = cancelled.has(client);
      return result;
    } catch (error) {
      isBroken = mustBeDropped(client, error);
      if (isLost(error) || faultKindOf(error) === 'busy') this.#options.onLost();
      throw error;
    } finally {
      client.release(isBroken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    if (!this.#options.isReachable()) {
      throw this.#options.unavailable(new Error('The database does not answer.'));
    }
    if (this.#waiting >= waitingMax) {
      throw this.#options.unavailable(new Error('Too many calls are waiting for the database.'));
    }
    this.#waiting += 1;
    try {
      return await this.#observe('connect', this.#pool.connect());
    } catch (error) {
      this.#options.onLost();
      // Nothing was sent.
      throw faultKindOf(error) === 'lost' ? this.#options.unavailable(error) : error;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #observe<T>(name: string, answer: Promise<T>): Promise<T> {
    try {
      const result = await answer;
      this.#options.health.recordSuccess(name);
      return result;
    } catch (error) {
      this.#options.health.recordError(name, error);
      throw error;
    }
  }
}

/** Limits each statement of the transaction, and its waits for locks, one of which NOTIFY takes in the commit. */
const begin = `BEGIN; SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${statementMs}`;

/** Connections whose statement was cancelled: the request may still arrive, and end another statement. */
const cancelled = new WeakSet<pg.ClientBase>();

function mustBeDropped(client: pg.ClientBase, error: unknown): boolean {
  return cancelled.has(client) || isLost(error) || faultKindOf(error) === 'outdated';
}

/** Whether the connection itself is lost, not only the statement. */
function isLost(error: unknown): boolean {
  return faultKindOf(error) === 'lost' && !isOfMachineBehind(error);
}

/**
 * Gives up a statement that is not answered within `ms`: cancels it, and rejects even if it succeeded meanwhile, since
 * a commit cancelled while it waits for a replica succeeds without it. If that is not answered either, destroys the
 * connection; the statement then rejects as lost.
 */
async function withinTime<T>(client: pg.ClientBase, answer: Promise<T>, ms = cancelMs): Promise<T> {
  const cancelling = setTimeout(() => {
    cancelled.add(client);
    void cancelStatement(client);
  }, ms);
  const cutting = setTimeout(
    () => {
      cut(client);
    },
    ms + cutMs - cancelMs,
  );
  try {
    const result = await answer;
    if (cancelled.has(client)) throw new AnsweredLateError();
    return result;
  } finally {
    clearTimeout(cancelling);
    clearTimeout(cutting);
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

/**
 * Runs `work` on a separate connection, not through a pooler. The server ends each of its statements after `limitMs`,
 * also if this process has died.
 */
export async function withConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  limitMs = aloneMs,
): Promise<T> {
  const client = await connectAlone(url);
  try {
    await client.query(`SET statement_timeout = ${limitMs}`);
    return await work(client);
  } finally {
    await close(client);
  }
}

async function close(client: pg.Client): Promise<void> {
  // The connection may be closed already.
  await Promise.allSettled([client.end()]);
}

/** Runs a statement without values, also through a pooler. */
export async function ask<Row extends object>(client: pg.Client, text: string, ms: number): Promise<Row[]> {
  const answer = queryWithin<Row>(client, { text, name: '', values: [], limitMs: statementMs });
  return (await withinTime(client, answer, ms)).rows;
}

const tooManyConnections = '53300';

/** Rejects when the database does not respond or is a replica. A database with all connections in use passes. */
export async function probe(url: string): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = await connectAlone(url);
    const rows = await ask<{ is_replica: boolean }>(
      client,
      'SELECT pg_is_in_recovery() AS is_replica',
      connectMs,
    );
    if (rows[0]?.is_replica) throw new Error('The database is a replica.');
  } catch (error) {
    if (codeOf(error) !== tooManyConnections) throw error;
  } finally {
    if (client) await close(client);
  }
}
