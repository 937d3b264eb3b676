// Kills and restarts a PostgreSQL server on this machine that the test did not start.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { withConnection } from '#postgres/connections';
import { codeOf } from '../../../packages/system-errors/src/error-code.ts';

/** The command that started it. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly program: string;
  readonly words: readonly string[];
  readonly uid: number;
  readonly dataFolder: string;
}

export async function findServer(url: string): Promise<ServerProcess> {
  const { server, folder } = await withConnection(url, async (client) => {
    const { rows } = await client.query<{ pid: number; folder: string }>(
      "SELECT pg_backend_pid() AS pid, current_setting('data_directory') AS folder",
    );
    const [row] = rows;
    if (!row) throw new Error('The server reported nothing about itself.');
    return { server: parentOf(row.pid), folder: row.folder };
  });
  const words = readFileSync(`/proc/${server}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server}/status`, 'utf8'))?.[1];
  return {
    url,
    pid: server,
    words: words.slice(1),
    dataFolder: folder,
    program: readlinkSync(`/proc/${server}/exe`),
    uid: Number(uid),
  };
}

function parentOf(pid: number): number {
  return Number(
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[1],
  );
}

/** Kills the postmaster and all its backends abruptly. */
export function killServer({ pid }: ServerProcess): void {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = processes.filter((name) => {
    try {
      return parentOf(Number(name)) === pid;
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
  for (const one of [pid, ...children.map(Number)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error;
    }
  }
}

/** Resolves when it responds, which it does after its recovery. */
export async function startServer({
  program,
  words,
  uid,
  dataFolder,
  url,
}: ServerProcess): Promise<ServerProcess> {
  await rm(path.join(dataFolder, 'postmaster.pid'), { force: true });
  const isRoot = process.getuid?.() === 0;
  const [command, all] = isRoot
    ? ['setpriv', ['--reuid', String(uid), '--clear-groups', program, ...words]]
    : [program, [...words]];
  spawn(command, all, { cwd: dataFolder, detached: true, stdio: 'ignore' }).unref();
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      return await findServer(url);
    } catch {
      await delay(100);
    }
  }
  throw new Error(`The server does not answer: ${url}`);
}
