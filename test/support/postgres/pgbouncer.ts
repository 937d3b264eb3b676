// The test's own pgbouncer in transaction mode, in front of the test's own PostgreSQL server.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { onTestFinished } from 'vitest';

import { throughPort } from './postgres-fixture.ts';
import { freePort } from '../servers/free-port.ts';
import { asPlainUser, makeOwnFolder } from '../servers/plain-user.ts';

export interface Pgbouncer {
  /** The database through it. */
  readonly url: string;
  /** Restarts it abruptly, like a crash. Statements in progress are cut. */
  restart(): Promise<void>;
}

/** Few connections, so that transactions of one client use several. */
const poolSize = 4;

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  const [asked] = await Promise.allSettled([client.connect().then(() => client.query('SELECT 1'))]);
  await Promise.allSettled([client.end()]);
  return asked.status === 'fulfilled';
}

/** @param databaseUrl the direct URL. Ended by its process id with the test. */
export async function startPgbouncer(databaseUrl: string): Promise<Pgbouncer> {
  const folder = await makeOwnFolder('mayfly-pgbouncer-');
  const file = (name: string): string => path.join(folder, name);
  const port = await freePort();
  const url = throughPort(databaseUrl, port);
  await writeFile(file('users'), `"${new URL(databaseUrl).username}" ""\n`);
  const lines = [
    ...['[databases]', `* = host=127.0.0.1 port=${new URL(databaseUrl).port}`],
    ...['[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = trust', `auth_file = ${file('users')}`],
    ...['pool_mode = transaction', `default_pool_size = ${poolSize}`, 'max_client_conn = 200'],
  ];
  await writeFile(file('pgbouncer.ini'), `${lines.join('\n')}\n`);
  const start = async () => {
    const [command, words] = asPlainUser('pgbouncer', ['-q', file('pgbouncer.ini')]);
    const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)));
    for (let attempt = 0; attempt < 200; attempt++) {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}: ${output}`);
      if (await answers(url)) return child;
      await delay(25);
    }
    throw new Error(`pgbouncer does not answer: ${output}`);
  };
  let child = await start();
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });
  return {
    url,
    restart: async () => {
      await stop();
      child = await start();
    },
  };
}
