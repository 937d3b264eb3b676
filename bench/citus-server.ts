// The Citus cluster given by `--citus URL`, in place of a PostgreSQL server of the benchmark's own. It must run on this
// machine, where the processor time of its servers is read. Each database is created on every machine, distributed by
// `mayfly postgres distribute`, and dropped at the end.
import { mkdirSync } from 'node:fs';
import path from 'node:path';

import type { BenchRun } from './bench-run.ts';
import { finish, startChild } from './child-processes.ts';
import { type PostgresServer, runSql } from './postgres-server.ts';
import { serviceSettings } from './service-process.ts';

const distributeMs = 600_000;
/** Marks the databases that may be dropped when an earlier run has left them. */
const prefix = 'mayfly_bench_';

/** @param url the coordinator's, of a database with the workers, for a superuser of every machine */
export async function joinCitus(
  url: string,
  { serviceBuild, scratch }: Pick<BenchRun, 'serviceBuild' | 'scratch'>,
): Promise<PostgresServer> {
  const machines = await findMachines(url);
  const [coordinator, ...workers] = machines;
  if (coordinator === undefined || workers.length === 0) {
    throw new Error('A coordinator and a worker are needed: citus_set_coordinator_host, citus_add_node.');
  }
  const made = new Set<string>();
  const drop = async (database: string): Promise<void> => {
    for (const machine of machines) {
      await runSql(machine, `DROP DATABASE IF EXISTS ${prefix}${database} WITH (FORCE)`);
    }
  };
  const make = async (database: string): Promise<void> => {
    await drop(database);
    for (const machine of machines) {
      await runSql(machine, `CREATE DATABASE ${prefix}${database} ENCODING UTF8 TEMPLATE template0`);
      await runSql(toDatabase(machine, database), 'CREATE EXTENSION citus');
    }
    const own = toDatabase(coordinator, database);
    await runSql(own, `SELECT citus_set_coordinator_host(${toAddress(coordinator)})`);
    for (const worker of workers) await runSql(own, `SELECT citus_add_node(${toAddress(worker)})`);
    const dataDir = path.join(scratch, `distribute-${database}`);
    mkdirSync(dataDir);
    const words = [path.join(serviceBuild, 'main.js'), 'postgres', 'distribute'];
    const env = serviceSettings(dataDir, own);
    const child = startChild({
      program: process.execPath,
      args: words,
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    });
    await finish(child, 'mayfly postgres distribute', distributeMs);
  };
  return {
    pids: await Promise.all(machines.map(readPid)),
    query: (database, sql) => runSql(toDatabase(coordinator, database), sql),
    queryEach: async (database, sql) => {
      for (const machine of machines) await runSql(toDatabase(machine, database), sql);
    },
    url: async (database) => {
      if (!made.has(database)) {
        made.add(database);
        await make(database);
      }
      return toDatabase(coordinator, database);
    },
    stop: async () => {
      for (const database of made) await drop(database);
    },
  };
}

/** Returns the URLs of all machines, first the coordinator's. */
async function findMachines(url: string): Promise<readonly string[]> {
  const list = await runSql(
    url,
    `SELECT nodename || ':' || nodeport FROM pg_dist_node
     WHERE isactive AND noderole = 'primary' AND EXISTS (SELECT 1 FROM pg_dist_node WHERE groupid = 0)
     ORDER BY groupid`,
  );
  if (list === '') return [];
  return list.split('\n').map((host) => {
    const there = new URL(url);
    there.host = host;
    return there.href;
  });
}

function toDatabase(machine: string, database: string): string {
  const there = new URL(machine);
  there.pathname = `/${prefix}${database}`;
  return there.href;
}

/** Returns the arguments of Citus's functions about machines. */
function toAddress(machine: string): string {
  const { hostname, port } = new URL(machine);
  return `'${hostname}', ${port || '5432'}`;
}

/** Returns the id of the server's main process. */
async function readPid(machine: string): Promise<number> {
  return Number(await runSql(machine, `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)`));
}
