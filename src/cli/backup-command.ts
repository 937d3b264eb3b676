// `mayfly backup FOLDER`: obtains a consistent copy of the store from the service, or makes it when no service runs,
// moves it with the other important files to a new folder, and verifies it.

import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { codeOf } from '#system-errors/error-code';
import { noteBackup } from '../app/doctor/last-backup.ts';
import { version } from '../app/version.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { checkCopy } from '../store/sqlite/copy/check-copy.ts';
import { type DatabaseFacts, withSnapshot } from '../store/postgres/database/whole-database.ts';
import {
  copyOnDisk,
  dumpName,
  listFolder,
  listOtherFiles,
  moveOnDisk,
  storeName,
  sumOf,
  syncFile,
  writeManifest,
} from '#backups/backup-folder';
import { askDatabase, checkDump, type DatabaseAccess, dumpDatabase } from './postgres-copy.ts';

export interface BackupDeps {
  readonly dataDir: string;
  /** Has the running service copy the store, or copies it when none runs; returns the file. @throws OperatorError */
  readonly copyStore: () => Promise<string>;
  /** Set when the store is a database, which is queried directly. */
  readonly database: DatabaseAccess | undefined;
}

/** Returns the text for the operator. @throws OperatorError */
export async function makeBackup(deps: BackupDeps, target: string): Promise<string[]> {
  const { dataDir, database } = deps;
  const folder = resolve(target);
  if ((await listFolder(folder)).length > 0) throw new OperatorError(`${folder} is not empty.`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const store = database ? dumpName : storeName;
  const file = join(folder, store);
  const facts = database ? await dump(database, file) : await takeCopy(deps, file);
  const names = await copyOthers(dataDir, folder);
  const { schema, liveSessions, messages } = facts;
  await syncFile(file);
  const sums: Record<string, string> = {};
  for (const name of [store, ...names]) sums[name] = await sumOf(join(folder, name));
  const madeAt = new Date();
  await writeManifest(folder, { version, schema, madeAt: madeAt.toISOString(), files: sums });
  noteBackup(dataDir, { madeAt: madeAt.getTime(), folder });
  return [
    `Backup in ${folder}: ${liveSessions} live sessions, ${messages} messages, ${names.length} other files.`,
  ];
}

async function takeCopy(deps: BackupDeps, file: string): Promise<DatabaseFacts> {
  const copy = await deps.copyStore();
  try {
    await moveOnDisk(copy, file);
    return checkCopy(file);
  } catch (error) {
    // The file contains keys and is useless.
    await rm(file, { force: true });
    throw error;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Dumps the database; the counts are of what the dump contains. */
async function dump(database: DatabaseAccess, file: string): Promise<DatabaseFacts> {
  const facts = await askDatabase(() =>
    withSnapshot(database.url, async (snapshot, schema) => {
      if (schema === 0) throw new OperatorError('The database contains no data of Mayfly.');
      await dumpDatabase(database, { file, snapshot });
    }),
  );
  await checkDump(database.programPath, file);
  return facts;
}

async function copyOthers(dataDir: string, folder: string): Promise<string[]> {
  const copied: string[] = [];
  for (const name of await listOtherFiles(dataDir)) {
    try {
      await copyOnDisk(join(dataDir, name), join(folder, name));
      copied.push(name);
    } catch (error) {
      // The operator's mail program moves and deletes files without notice.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  return copied;
}
