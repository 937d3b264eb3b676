// A service on each kind of store, filled with mail, and what an attacker gains from everything on its disks: data
// folders, backups made before and after half of the sessions ended, logs. Used by the tests of what the disk reveals.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished } from 'vitest';

import type { CitusDatabase } from '../postgres/citus-cluster.ts';
import type { PostgresFixture } from '../postgres/postgres-fixture.ts';
import type { PostgresServerOptions } from '../postgres/postgres-server.ts';
import { useDataFolder } from '../service/mayfly-fixture.ts';
import { type MayflyProcess, runMayfly, startMayfly } from '../service/mayfly-process.ts';
import { attack, type Disk, type Gained } from './attack.ts';
import {
  type Amounts,
  type Attacked,
  fillForAttack,
  readFolders,
  readPostgresColumns,
  readSqliteColumns,
  toLoggedColumn,
} from './attacked-service.ts';

type Settings = Readonly<Record<string, string>>;

export const nothing: Gained = { opened: 0, privateKeys: 0, texts: [] };

/** A server whose log has all that PostgreSQL can log: every statement with its values. */
export const talkative: PostgresServerOptions = {
  settings: {
    logging_collector: 'on',
    log_min_messages: 'info',
    log_statement: 'all',
    log_min_duration_statement: '0',
    log_parameter_max_length_on_error: '-1',
  },
};

interface Started {
  readonly dataDir: string;
  readonly mayfly: MayflyProcess;
  readonly backUp: () => Promise<string>;
}

async function start(settings: Settings = {}): Promise<Started> {
  const dataDir = await useDataFolder();
  const mayfly = await startMayfly(dataDir, { MAYFLY_LIMITS_RATE: 'off', ...settings });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const backUp = async (): Promise<string> => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-attack-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    expect(await runMayfly(dataDir, ['backup', path.join(folder, 'backup')], settings)).toMatchObject({
      status: 0,
    });
    return path.join(folder, 'backup');
  };
  return { dataDir, mayfly, backUp };
}

/** Ends the service and reads all files. */
async function takeDisk(
  { dataDir, mayfly }: Started,
  ...folders: readonly string[]
): Promise<Omit<Disk, 'columns'>> {
  await mayfly.stop('SIGKILL');
  const files = await readFolders(dataDir, ...folders);
  files.set('the log', Buffer.from(mayfly.log + mayfly.said));
  const serverKey = files.get(path.join(dataDir, 'server.key'));
  if (!serverKey) throw new Error('The service has no server.key.');
  return { files, serverKey };
}

/** @param isThorough tries every 32 bytes of the store's own files too: for a small one */
export async function attackSqlite(amounts: Amounts, isThorough: boolean): Promise<readonly Gained[]> {
  const started = await start();
  const backups: string[] = [];
  const attacked = await fillForAttack(started.mayfly, amounts, async () => {
    backups.push(await started.backUp());
  });
  backups.push(await started.backUp());
  const disk = await takeDisk(started, ...backups);
  // The first backup has what the sessions had that ended later.
  const stores = [started.dataDir, backups[0] ?? ''].map((folder) => path.join(folder, 'mayfly.db'));
  return stores.map((file) => {
    const isTriedWhole = (name: string): boolean => isThorough && path.dirname(name) === path.dirname(file);
    return attack({ ...disk, columns: readSqliteColumns(file), isTriedWhole }, attacked);
  });
}

/** `postgres` is a server of its own, best a talkative one. */
export async function attackPostgres(
  postgres: PostgresFixture,
  amounts: Amounts,
): Promise<readonly Gained[]> {
  const url = await postgres.createUrl();
  const { dataFolder, execute } = await takeServer(postgres);
  return attackDatabase({ url, amounts, checkpoint: () => execute('CHECKPOINT'), folders: [dataFolder] });
}

async function takeServer(postgres: PostgresFixture) {
  const server = await postgres.server();
  return { dataFolder: server.dataFolder, execute: (statement: string) => server.execute(statement) };
}

/** The machines' disks must be of this machine. */
export async function attackCitus(database: CitusDatabase, amounts: Amounts): Promise<readonly Gained[]> {
  const folders: string[] = [];
  for (const machine of database.machines) {
    const [place] = await database.executeAt<{ folder: string }>(
      machine,
      `SELECT current_setting('data_directory') AS folder`,
    );
    if (!place) throw new Error('The machine reported nothing about itself.');
    folders.push(place.folder);
  }
  const checkpoint = async (): Promise<void> => {
    for (const machine of database.machines) await database.executeAt(machine, 'CHECKPOINT');
  };
  return attackDatabase({ url: database.url, amounts, checkpoint, folders });
}

interface Target {
  readonly url: string;
  readonly amounts: Amounts;
  readonly checkpoint: () => Promise<unknown>;
  /** With everything on the disks of the database's servers. */
  readonly folders: readonly string[];
}

async function attackDatabase({ url, amounts, checkpoint, folders }: Target): Promise<readonly Gained[]> {
  const started = await start({ MAYFLY_STORE_URL: url });
  const backups: string[] = [];
  const columns: Disk['columns'][] = [];
  const attacked: Attacked = await fillForAttack(started.mayfly, amounts, async () => {
    backups.push(await started.backUp());
    columns.push(await readPostgresColumns(url));
  });
  columns.push(await readPostgresColumns(url));
  await checkpoint();
  const disk = await takeDisk(started, ...backups, ...folders);
  const logged = toLoggedColumn(disk.files);
  return columns.map((one) => attack({ ...disk, columns: [...one, logged] }, attacked));
}
