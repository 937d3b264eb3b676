// Reads the disks of a Citus cluster's machines; the test must run on the same machine.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { codeOf } from '../../../packages/system-errors/src/error-code.ts';
import type { CitusDatabase, Machine } from './citus-cluster.ts';

/** A log that is read as a whole, and of which nothing stays. */
const logSettings = { wal_recycle: 'off', wal_init_zero: 'off' };

export async function keepNoLog(database: CitusDatabase): Promise<void> {
  for (const machine of database.machines) {
    for (const [name, value] of Object.entries(logSettings)) {
      await database.executeAt(machine, `ALTER SYSTEM SET ${name} = ${value}`);
    }
    await database.executeAt(machine, 'SELECT pg_reload_conf()');
  }
}

async function readFolder(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map(({ name }) => readIfThere(path.join(folder, name))))).flat();
}

/** A server that runs replaces files meanwhile. */
async function readIfThere(file: string): Promise<Buffer[]> {
  try {
    return [await readFile(file)];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Everything on the disk of a machine of the database, and the log of all. The test has to run there. */
export async function readMachineFiles(database: CitusDatabase, machine: Machine): Promise<Buffer[]> {
  const [place] = await database.executeAt<{ folder: string; oid: number }>(
    machine,
    'CHECKPOINT',
    `SELECT current_setting('data_directory') AS folder, oid FROM pg_database WHERE datname = current_database()`,
  );
  if (!place) throw new Error('The machine reported nothing about itself.');
  const folders = ['pg_wal', 'pg_twophase', path.join('base', String(place.oid))];
  return (await Promise.all(folders.map((name) => readFolder(path.join(place.folder, name))))).flat();
}
