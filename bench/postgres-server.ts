// A PostgreSQL server for the benchmark, in its scratch folder and thus on a real disk, with the settings recommended
// in docs/postgres.md and full durability of commits. Started only for `--store postgres`.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { finish, startChild, stopChild } from './child-processes.ts';
import { findFreePort } from './floor-processes.ts';

const execute = promisify(execFile);
const user = 'mayfly';
/** PostgreSQL refuses to run as root. */
const plainUser = 'nobody';
const startMs = 20_000;
const settings = {
  shared_buffers: '1GB',
  wal_compression: 'lz4',
  max_wal_size: '8GB',
  checkpoint_timeout: '10min',
  wal_init_zero: 'off',
  autovacuum_naptime: '15s',
  autovacuum_vacuum_cost_limit: '2000',
} as const;

export interface PostgresServer {
  /** The server's own process; on a cluster, one for each machine. */
  readonly pids: readonly number[];
  /** Returns the URL of a database, creating it if needed. */
  url(database: string): Promise<string>;
  /** Runs SQL in the database and returns the selected values, unformatted. */
  query(database: string, sql: string): Promise<string>;
  /** Runs SQL on each machine of a cluster, and on a single server once. */
  queryEach(database: string, sql: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param folder is created. @throws Error when PostgreSQL is not installed or does not start */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) await execute('chown', [plainUser, folder]);
  const data = path.join(folder, 'data');
  const init = ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-locale'];
  await finish(startAs('initdb', init, folder), 'initdb', 60_000);
  const port = await findFreePort();
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const place = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''];
  const server = startAs('postgres', [...place, ...given], folder);
  const query = (database: string, sql: string): Promise<string> =>
    runSql(`postgres://${user}@127.0.0.1:${port}/${database}`, sql);
  await untilItAnswers(() => query('postgres', 'SELECT 1'));
  return {
    pids: [server.pid ?? 0],
    query,
    queryEach: async (database, sql) => void (await query(database, sql)),
    url: async (database) => {
      const found = await query('postgres', `SELECT 1 FROM pg_database WHERE datname = '${database}'`);
      if (found === '') await query('postgres', `CREATE DATABASE ${database}`);
      return `postgres://${user}@127.0.0.1:${port}/${database}`;
    },
    stop: () => stopChild(server, 'SIGINT'),
  };
}

/** Returns the selected values, unformatted. No error contains the URL's password. */
export async function runSql(url: string, sql: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const { stdout } = await execute(program('psql'), ['-XqAt', '-v', 'ON_ERROR_STOP=1', '-c', sql], {
    env: {
      ...process.env,
      PGHOST: hostname,
      PGPORT: port || '5432',
      PGDATABASE: decodeURIComponent(pathname.slice(1)),
      PGUSER: decodeURIComponent(username),
      PGPASSWORD: decodeURIComponent(password),
    },
  });
  return stdout.trim();
}

/** Debian installs the programs here; elsewhere they are on the path. */
function program(name: string): string {
  const root = '/usr/lib/postgresql';
  const newest = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  return newest === undefined ? name : path.join(root, newest, 'bin', name);
}

function startAs(name: string, args: readonly string[], cwd: string) {
  const asOther = ['--reuid', plainUser, '--regid', 'nogroup', '--clear-groups', program(name), ...args];
  const command =
    process.getuid?.() === 0 ? { program: 'setpriv', args: asOther } : { program: program(name), args };
  return startChild({ ...command, stdio: ['ignore', 'ignore', 'pipe'], cwd });
}

async function untilItAnswers(ask: () => Promise<unknown>): Promise<void> {
  for (const until = performance.now() + startMs; ; await delay(100)) {
    try {
      await ask();
      return;
    } catch (error) {
      if (performance.now() > until) throw new Error('PostgreSQL does not answer.', { cause: error });
    }
  }
}
