// The test's own databases on the Citus cluster that `npm run test:citus -- URL` names: created on every machine,
// joined like the cluster's own, distributed, and dropped with the test file. The user must be a superuser on each.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type pg from 'pg';
import { onTestFinished } from 'vitest';

import { withConnection } from '#postgres/connections';
import { codeOf } from '../../../packages/system-errors/src/error-code.ts';
import { readMigrations } from '../../../src/store/postgres/database/migrate.ts';
import { readFunctions } from '../../../src/store/postgres/database/put-functions.ts';
import { distribute } from '../../../src/store/postgres/citus/distribute.ts';
import { toMachineUrl } from '../../../src/store/postgres/citus/open-cluster.ts';

export interface Machine {
  readonly host: string;
  readonly port: number;
}

/** Whether the tests run on a cluster. */
export const isOnCitus = process.env['MAYFLY_TEST_CITUS_URL'] !== undefined;

const inUseCode = '55006';
/** Few, so that a schema is quickly created and emptied. */
const shards = 4;

function clusterUrl(): string {
  const url = process.env['MAYFLY_TEST_CITUS_URL'];
  if (url === undefined) throw new Error('npm run test:citus -- URL says where the coordinator is.');
  return url;
}

export class CitusDatabase {
  readonly name: string;
  readonly coordinator: Machine;
  readonly workers: readonly Machine[];

  constructor(name: string, coordinator: Machine, workers: readonly Machine[]) {
    this.name = name;
    this.coordinator = coordinator;
    this.workers = workers;
  }

  get machines(): readonly Machine[] {
    return [this.coordinator, ...this.workers];
  }

  get url(): string {
    return this.urlOf(this.coordinator);
  }

  urlOf(machine: Machine, database = this.name): string {
    const there = new URL(toMachineUrl(clusterUrl(), machine));
    there.pathname = `/${database}`;
    return there.href;
  }

  /** Runs the statements in turn on one connection; returns the last result. */
  execute<Row extends pg.QueryResultRow>(...statements: readonly string[]): Promise<Row[]> {
    return this.executeAt<Row>(this.coordinator, ...statements);
  }

  executeAt<Row extends pg.QueryResultRow>(
    machine: Machine,
    ...statements: readonly string[]
  ): Promise<Row[]> {
    return withConnection(this.urlOf(machine), async (client) => {
      let rows: Row[] = [];
      for (const statement of statements) ({ rows } = await client.query<Row>(statement));
      return rows;
    });
  }

  /** Creates it on one machine, with the extension. `citus_add_node` then makes that machine one of its workers. */
  async createAt(machine: Machine, isCitus = true): Promise<void> {
    await withConnection(this.urlOf(machine, 'postgres'), (client) =>
      client.query(`CREATE DATABASE ${this.name} ENCODING UTF8 TEMPLATE template0`),
    );
    if (isCitus) await this.executeAt(machine, 'CREATE EXTENSION citus');
  }

  async drop(): Promise<void> {
    for (const machine of this.machines) await this.dropAt(machine);
  }

  /** Repeats what a session of Citus prevents that is slow to end: PostgreSQL gives up after 5 seconds. */
  async dropAt(machine: Machine): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await withConnection(this.urlOf(machine, 'postgres'), (client) =>
          client.query(`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`),
        );
        return;
      } catch (error) {
        if (attempt === 10 || codeOf(error) !== inUseCode) throw error;
      }
    }
  }
}

export async function findMachines(): Promise<{ coordinator: Machine; workers: readonly Machine[] }> {
  return withConnection(clusterUrl(), async (client) => {
    const { rows } = await client.query<Machine & { group: number }>(
      `SELECT groupid AS group, nodename AS host, nodeport AS port FROM pg_dist_node
       WHERE isactive AND noderole = 'primary' ORDER BY groupid`,
    );
    const coordinator = rows.find(({ group }) => group === 0);
    if (!coordinator) throw new Error('The cluster has no coordinator: citus_set_coordinator_host.');
    return { coordinator, workers: rows.filter(({ group }) => group !== 0) };
  });
}

let made = 0;

function nameDatabase(
  purpose: string,
  { coordinator, workers }: Pick<CitusDatabase, 'coordinator' | 'workers'>,
): CitusDatabase {
  made += 1;
  return new CitusDatabase(`mayfly_test_${purpose}_${process.pid}_${made}`, coordinator, workers);
}

/** Creates an empty database on so many of the workers, not distributed yet; on none of them, one without Citus. */
export async function createEmptyDatabase(purpose: string, workersMax = Infinity): Promise<CitusDatabase> {
  const { coordinator, workers: all } = await findMachines();
  const workers = all.slice(0, workersMax);
  const database = nameDatabase(purpose, { coordinator, workers });
  await database.drop();
  for (const machine of database.machines) {
    await database.createAt(machine, workers.length > 0);
  }
  if (workers.length === 0) return database;
  await database.execute(`SELECT citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
  for (const { host, port } of workers) await database.execute(`SELECT citus_add_node('${host}', ${port})`);
  return database;
}

/** Includes a hash of the schema's sources: a template belongs to one version of it. */
function nameTemplate(): string {
  const sources = ['shard-functions.ts', 'distribute.ts', 'distribution.ts'].map((name) =>
    readFileSync(new URL(`../../../src/store/postgres/citus/${name}`, import.meta.url), 'utf8'),
  );
  const text = [
    ...readMigrations().map(({ sql }) => sql),
    ...readFunctions('citus'),
    ...sources,
    shards,
  ].join('\n');
  return `mayfly_template_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/**
 * Creates an empty, distributed database by copying, on each machine, a template that stays in the cluster because
 * creating it takes long.
 */
export async function createCitusDatabase(purpose: string): Promise<CitusDatabase> {
  const { coordinator, workers } = await findMachines();
  const template = new CitusDatabase(nameTemplate(), coordinator, workers);
  if (!(await isThere(template))) {
    const draft = await createEmptyDatabase('template');
    await distributeForTest(draft.url);
    await atEach(draft, async (client) => {
      await disconnect(client, draft.name);
      await client.query(`ALTER DATABASE ${draft.name} RENAME TO ${template.name}`);
    });
  }
  const database = nameDatabase(purpose, { coordinator, workers });
  await database.drop();
  await atEach(database, async (client) => {
    await client.query(`CREATE DATABASE ${database.name} TEMPLATE ${template.name}`);
  });
  return database;
}

/** Reports whether it exists on every machine. */
async function isThere(template: CitusDatabase): Promise<boolean> {
  const found: boolean[] = [];
  await atEach(template, async (client) => {
    const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template.name]);
    found.push(rows.length > 0);
  });
  return found.every(Boolean);
}

/** Includes Citus's own processes, which return with the next connection. */
async function disconnect(client: pg.Client, name: string): Promise<void> {
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  for (let left = true; left;) {
    const { rows } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    );
    left = rows.length > 0;
  }
}

async function atEach(database: CitusDatabase, work: (client: pg.Client) => Promise<void>): Promise<void> {
  for (const machine of database.machines) {
    await withConnection(database.urlOf(machine, 'postgres'), work);
  }
}

/** Returns the lines printed for the operator. */
export async function distributeForTest(url: string, shardCount = shards): Promise<readonly string[]> {
  const printed: string[] = [];
  await distribute({ url, shards: shardCount, isCheck: false, say: (line) => printed.push(line) });
  return printed;
}

/** Returns settings for a service with its own database on the cluster; none without a cluster. */
export async function useCitusSettings(): Promise<Readonly<Record<string, string>>> {
  if (!isOnCitus) return {};
  const database = await createCitusDatabase('service');
  onTestFinished(() => database.drop());
  return { MAYFLY_STORE_URL: database.url };
}
