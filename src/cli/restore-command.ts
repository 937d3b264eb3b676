// `mayfly restore FOLDER`: checks a backup to the last byte and puts it into an empty data folder. Called by main.ts.

import { mkdir, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { OperatorError } from '../service/operator-error.ts';
import { checkCopy, endSessionsOfCopy } from '../store/sqlite/check-copy.ts';
import {
  copyOnDisk,
  listFolder,
  type Manifest,
  readManifest,
  storeName,
  sumOf,
  syncFile,
} from './backup-folder.ts';

export interface RestoreOptions {
  readonly dataDir: string;
  /** Ends the sessions of the backup: some may have been ended since it was made, and nobody knows which. */
  readonly endSessions: boolean;
}

/** Returns what to tell the operator. @throws OperatorError */
export async function restoreBackup(source: string, options: RestoreOptions): Promise<string[]> {
  const dataDir = resolve(options.dataDir);
  const folder = resolve(source);
  if ((await listFolder(dataDir)).length > 0) {
    throw new OperatorError(`The data folder ${dataDir} is not empty: nothing there is overwritten.`);
  }
  const manifest = await refuseOr(readManifest(folder));
  await checkSums(folder, manifest);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const name of Object.keys(manifest.files)) {
    if (name !== storeName) await copyOnDisk(join(folder, name), join(dataDir, name));
  }
  // Under another name until it is known to be whole: a service started meanwhile would take it as it is.
  const draft = join(dataDir, `${storeName}.restoring`);
  await copyOnDisk(join(folder, storeName), draft);
  const { liveSessions, messages } = await refuseOr(Promise.resolve().then(() => checkCopy(draft)));
  const ended = options.endSessions ? endSessionsOfCopy(draft, Date.now()) : 0;
  await syncFile(draft);
  await rename(draft, join(dataDir, storeName));
  await syncFile(dataDir);
  return [
    `Restored ${folder} of ${manifest.madeAt} into ${dataDir}: ${liveSessions} live sessions, ${messages} messages.`,
    ...(ended > 0 ? [`${ended} sessions were ended.`] : []),
    'Start the service now; sessions whose time is over end at once.',
  ];
}

async function checkSums(folder: string, { files }: Manifest): Promise<void> {
  for (const [name, wanted] of Object.entries(files)) {
    const found = await refuseOr(sumOf(join(folder, name)));
    if (found !== wanted) throw new OperatorError(`${join(folder, name)} is not what was backed up.`);
  }
}

/** What is wrong with a backup is told in one line. */
async function refuseOr<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new OperatorError((error as Error).message, { cause: error });
  }
}
