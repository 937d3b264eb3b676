// The test's own PostgreSQL server in a temporary folder, on a free port, as a plain user (it refuses root), with
// databases on it. initdb's folder is created once and copied, in memory if there is plenty, since nothing is synced
// anyway. Ended by its process id with the test file.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import pg from 'pg';

import { freePort } from '../servers/free-port.ts';
import { asPlainUser, makeOwnFolder, plainUserId, scratchFolder } from '../servers/plain-user.ts';

const run = promisify(execFile);
const user = 'mayfly';

/** Debian's path of the programs; elsewhere they are in PATH. */
function program(name: string): string {
  const root = '/usr/lib/postgresql';
  const newest = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  return newest === undefined ? name : path.join(root, newest, 'bin', name);
}

/** Small segments, because tests search the whole log. */
async function ensureTemplate(): Promise<string> {
  const template = path.join(scratchFolder, `mayfly-postgres-template-${process.getuid?.() ?? 0}`);
  if (existsSync(template)) return template;
  const draft = await makeOwnFolder('mayfly-initdb-');
  const words = ['-D', path.join(draft, 'data'), '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-locale'];
  const [command, all] = asPlainUser(program('initdb'), [...words, '--no-sync', '--wal-segsize=1']);
  await run(command, all, { cwd: draft });
  try {
    await rename(draft, template);
  } catch {
    // Another test was faster.
    await rm(draft, { recursive: true });
  }
  return template;
}

export interface PostgresServerOptions {
  /** As in postgresql.conf, besides those that make tests fast. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The size of a disk that only the server sees, for databases on its tablespace `small`; none by default. */
  readonly smallDiskBytes?: number;
}

const fastSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_recycle: 'off',
  wal_init_zero: 'off',
  min_wal_size: '2MB',
  max_wal_size: '256MB',
  shared_buffers: '32MB',
  max_connections: '60',
  log_min_messages: 'fatal',
};

/**
 * Returns the command with a small disk on the folder, in a separate mount namespace; without root in user namespaces.
 */
function withSmallDisk(folder: string, bytes: number, command: readonly string[]): [string, string[]] {
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? `,uid=${plainUserId}` : '';
  const script = `mount -t tmpfs -o size=${bytes},mode=0700${owner} tmpfs "$0" && exec "$@"`;
  const rights = isRoot ? [] : ['--user', '--map-root-user'];
  const asOrdinaryUser = isRoot ? [] : ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
  return ['unshare', [...rights, '--mount', 'sh', '-c', script, folder, ...asOrdinaryUser, ...command]];
}

export class PostgresServer {
  readonly folder: string;
  readonly port: number;
  readonly #options: Required<PostgresServerOptions>;
  #child: ChildProcess | undefined;

  constructor(folder: string, port: number, options: Required<PostgresServerOptions>) {
    this.folder = folder;
    this.port = port;
    this.#options = options;
  }

  /** The path as the server sees it while it runs. */
  get smallDisk(): string {
    return path.join(`/proc/${this.pid}/root`, this.#smallFolder);
  }

  get #smallFolder(): string {
    return path.join(this.folder, 'small');
  }

  get dataFolder(): string {
    return path.join(this.folder, 'data');
  }

  /** Process id of the postmaster. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  url(database = 'postgres', port = this.port): string {
    return `postgres://${user}@127.0.0.1:${port}/${database}`;
  }

  async start(): Promise<void> {
    const { settings: given, smallDiskBytes } = this.#options;
    const settings = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const words = ['-D', this.dataFolder, '-p', String(this.port), '-h', '127.0.0.1', '-k', '', ...settings];
    const plain = asPlainUser(program('postgres'), words);
    const [command, all] =
      smallDiskBytes === 0 ? plain : withSmallDisk(this.#smallFolder, smallDiskBytes, plain.flat());
    const child = spawn(command, all, { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)));
    const end = (): void => void child.kill('SIGQUIT');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    for (let attempt = 0; attempt < 400; attempt++) {
      if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}: ${output}`);
      if (await this.#answers()) return;
      await delay(25);
    }
    throw new Error(`postgres does not answer: ${output}`);
  }

  async #answers(): Promise<boolean> {
    try {
      await this.execute('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  /** `fast` ends connections and writes everything; `immediate` is like a crash. */
  async stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await exited;
  }

  async dispose(): Promise<void> {
    await this.stop('immediate');
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs each statement separately, as the superuser. */
  async execute(...statements: readonly string[]): Promise<pg.QueryResult[]> {
    return this.executeIn('postgres', ...statements);
  }

  async executeIn(database: string, ...statements: readonly string[]): Promise<pg.QueryResult[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const results: pg.QueryResult[] = [];
      for (const statement of statements) results.push(await client.query(statement));
      return results;
    } finally {
      await client.end();
    }
  }

  /** Returns its name. */
  async createDatabase(template = 'template0'): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    const place = this.#options.smallDiskBytes === 0 ? '' : ' TABLESPACE small';
    await this.execute(`CREATE DATABASE ${name} TEMPLATE ${template}${place}`);
    return name;
  }

  async dropDatabase(name: string): Promise<void> {
    await this.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  /** Reads all files of one database, and the log of all; first flushes what is only in memory. */
  async readFiles(database: string): Promise<Buffer[]> {
    const log = await readAll(path.join(this.dataFolder, 'pg_wal'));
    const [, oid] = await this.execute(
      'CHECKPOINT',
      `SELECT oid FROM pg_database WHERE datname = '${database}'`,
    );
    const { oid: number } = oid?.rows[0] as { oid: number };
    return [...log, ...(await readAll(path.join(this.dataFolder, 'base', String(number))))];
  }
}

async function readAll(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ name }) => readFile(path.join(folder, name))));
}

export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const template = await ensureTemplate();
  const folder = await makeOwnFolder('mayfly-postgres-');
  await run('cp', ['-a', path.join(template, 'data'), path.join(folder, 'data')]);
  const { settings, smallDiskBytes = 0 } = options;
  const server = new PostgresServer(folder, await freePort(), {
    settings: { ...fastSettings, ...settings },
    smallDiskBytes,
  });
  await mkdir(path.join(folder, 'small'));
  await server.start();
  if (smallDiskBytes > 0) await server.execute(`CREATE TABLESPACE small LOCATION '${folder}/small'`);
  return server;
}
