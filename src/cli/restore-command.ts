// `mayfly restore FOLDER`: verifies a backup completely and copies it to an empty data folder.

import { mkdir, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { messageOf } from '#system-errors/error-message';
import { OperatorError } from '../service/operating/operator-error.ts';
import { checkCopy } from '../store/sqlite/copy/check-copy.ts';
import { readDatabaseFacts } from '../store/postgres/database/whole-database.ts';
import {
  copyOnDisk,
  dumpName,
  listFolder,
  type Manifest,
  readManifest,
  storeName,
  sumOf,
  syncFile,
} from '#backups/backup-folder';
import { askDatabase, type DatabaseAccess, loadDatabase } from './postgres-copy.ts';

export interface RestoreOptions {
  readonly dataDir: string;
  /** Set when the store is a database. */
  readonly database: DatabaseAccess | undefined;
}

/** Returns the text for the operator. @throws OperatorError */
export async function restoreBackup(source: string, options: RestoreOptions): Promise<string[]> {
  const dataDir = resolve(options.dataDir);
  const folder = resolve(source);
  if ((await listFolder(dataDir)).length > 0) {
    throw new OperatorError(`The data folder ${dataDir} is not empty: nothing there is overwritten.`);
  }
  const { database } = options;
  const manifest = await refuseOr(readManifest(folder));
  const store = Object.hasOwn(manifest.files, dumpName) ? dumpName : storeName;
  refuseOtherStore(store, database);
  await checkSums(folder, manifest);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const name of Object.keys(manifest.files)) {
    if (name !== store) await copyOnDisk(join(folder, name), join(dataDir, name));
  }
  const { liveSessions, messages } = database
    ? await restoreDatabase(join(folder, dumpName), database)
    : await restoreFile(join(folder, storeName), dataDir);
  await syncFile(dataDir);
  return [
    `Restored ${folder} of ${manifest.madeAt} into ${dataDir}: ${liveSessions} live sessions, ${messages} messages.`,
    'Start the service now; sessions that have expired end at once.',
  ];
}

interface Restored {
  readonly liveSessions: number;
  readonly messages: number;
}

async function restoreFile(source: string, dataDir: string): Promise<Restored> {
  // Under another name until verified, because a service that is started meanwhile would use it.
  const draft = join(dataDir, `${storeName}.restoring`);
  await copyOnDisk(source, draft);
  const { liveSessions, messages } = await refuseOr(Promise.resolve().then(() => checkCopy(draft)));
  await syncFile(draft);
  await rename(draft, join(dataDir, storeName));
  return { liveSessions, messages };
}

async function restoreDatabase(file: string, database: DatabaseAccess): Promise<Restored> {
  const { url } = database;
  const before = await askDatabase(() => readDatabaseFacts(url));
  if (before.schema > 0) {
    throw new OperatorError(
      'The database contains a Mayfly installation already: nothing there is overwritten.',
    );
  }
  await loadDatabase(database, file);
  const { liveSessions, messages } = await askDatabase(() => readDatabaseFacts(url));
  return { liveSessions, messages };
}

/** @throws OperatorError */
function refuseOtherStore(store: string, database: DatabaseAccess | undefined): void {
  if ((store === dumpName) === (database !== undefined)) return;
  throw new OperatorError(
    database
      ? 'This is a backup of a SQLite store, and MAYFLY_STORE_URL names a database.'
      : 'This is a backup of a PostgreSQL store: MAYFLY_STORE_URL must name an empty database for it.',
  );
}

async function checkSums(folder: string, { files }: Manifest): Promise<void> {
  for (const [name, wanted] of Object.entries(files)) {
    const found = await refuseOr(sumOf(join(folder, name)));
    if (found !== wanted) throw new OperatorError(`${join(folder, name)} differs from what was backed up.`);
  }
}

/** Reports errors of the backup in one line. */
async function refuseOr<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new OperatorError(messageOf(error), { cause: error });
  }
}
