// The commands that read or write the whole store: backups, copies, and the operator's mailbox.

import { join } from 'node:path';

import { isShared } from '../app/open-store.ts';
import { StartError } from '../app/start-error.ts';
import { describeStoreFault } from '../app/store-fault.ts';
import { loadConfig } from '#config/load-config';
import type { Config } from '#config/settings';
import { copyCommand } from '../operator/service.ts';
import { openMaildirLetters } from '#maildir/maildir-letters';
import { exitStatus } from './exit-status.ts';
import { type MailboxAction, runMailbox } from './mailbox-command.ts';
import type { DatabaseAccess } from './postgres-copy.ts';
import { type Program, type ProgramGiven, say } from './program-command.ts';
import { carryOut, print } from './run-operator.ts';
import { shardsByDefault } from './shards-by-default.ts';

export async function backup(given: ProgramGiven, program: Program): Promise<void> {
  process.umask(0o077);
  const { environment } = program;
  const config = loadConfig(environment);
  const { dataDir } = config.general;
  // Loaded here, so that the service does not load the database clients.
  const { makeBackup } = await import('./backup-command.ts');
  const copyStore = async (): Promise<string> => {
    const [file = ''] = print(
      copyCommand,
      await carryOut({ command: copyCommand, given: {} }, config, program),
      {},
    );
    return file;
  };
  say(
    await makeBackup(
      { dataDir, copyStore, database: databaseOf(config, environment) },
      String(given['folder']),
    ),
  );
}

export async function restore(given: ProgramGiven, { environment }: Program): Promise<void> {
  process.umask(0o077);
  const config = loadConfig(environment);
  const { dataDir } = config.general;
  const { restoreBackup } = await import('./restore-command.ts');
  const database = databaseOf(config, environment);
  say(await restoreBackup(String(given['folder']), { dataDir, database }));
}

/** Returns undefined when the store is a file. */
function databaseOf(config: Config, environment: Program['environment']): DatabaseAccess | undefined {
  const { url, directUrl } = config.store;
  return isShared(config) ? { url: directUrl || url, programPath: environment['PATH'] ?? '' } : undefined;
}

export async function copy(given: ProgramGiven, { environment }: Program): Promise<void> {
  process.umask(0o077);
  const { general, store } = loadConfig(environment);
  const from = String(given['from']);
  const to = given['to']?.toString() ?? (store.directUrl || store.url);
  if (to.startsWith('sqlite:')) {
    throw new StartError('The target is missing: set MAYFLY_STORE_URL to the database, or give --to.');
  }
  const { copyStore } = await import('./copy-command.ts');
  await copyStore(
    { from, to },
    {
      dataDir: general.dataDir,
      describeFault: describeStoreFault,
      say: (line) => {
        say([line]);
      },
    },
  );
}

export async function distribute(given: ProgramGiven, { environment }: Program): Promise<void> {
  const isCheck = given['check'] === true;
  const shards = Number(given['shards'] ?? shardsByDefault);
  const { store } = loadConfig(environment);
  const url = store.directUrl || store.url;
  if (url.startsWith('sqlite:')) {
    throw new StartError('Set MAYFLY_STORE_URL to the database of the cluster’s coordinator.');
  }
  const { distributeStore } = await import('./distribute-command.ts');
  const left = await distributeStore({
    url,
    shards,
    isCheck,
    describeFault: describeStoreFault,
    say: (line) => {
      say([line]);
    },
  });
  if (left > 0) process.exitCode = exitStatus.failed;
}

export async function mailbox(action: MailboxAction, { environment }: Program): Promise<void> {
  const config = loadConfig(environment);
  const database = databaseOf(config, environment);
  if (!database) {
    say(await runMailbox(openMaildirLetters(join(config.general.dataDir, 'operator')), action));
    return;
  }
  const { withLetters } = await import('../store/postgres/operator-letters.ts');
  const { askDatabase } = await import('./postgres-copy.ts');
  say(await askDatabase(() => withLetters(database.url, (letters) => runMailbox(letters, action))));
}
