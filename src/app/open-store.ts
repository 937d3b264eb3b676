// Opens the store of MAYFLY_STORE_URL: one SQLite file in this process's own data folder, or a PostgreSQL database
// shared with other nodes. Part of the composition root.

import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import type { Logger } from '#telemetry/logger';
import { codeOf } from '#system-errors/error-code';
import type { Config } from '#config/settings';
import { toWriteError } from '../domain/refused-write.ts';
import type { SessionKey } from '../domain/session.ts';
import { openMaildir } from '#maildir/maildir';
import { acquireLock, type DataFolderLock, lockName } from '../store/sqlite/data-folder-lock.ts';
import { openSqliteStore, type Syncing } from '../store/sqlite/open-sqlite-store.ts';
import type { StoreObserver } from '../store/store-observer.ts';
import type { Stores } from '../store/stores.ts';
import { toOutboxSettings } from './create-live.ts';
import { explainFolderFault, makeFolder } from './folder-fault.ts';
import { StartError } from './start-error.ts';
import { describeStoreFault } from './store-fault.ts';

export interface OpenStoreOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Whether the parent process has locked the data folder already. */
  readonly isFolderLocked: boolean;
  readonly syncing: Syncing;
  readonly onBroken: (error: Error) => void;
  readonly onNews: (key: SessionKey) => void;
  /** Called when a session has ended. */
  readonly onEnded: (key: SessionKey) => void;
  readonly writesExpected: () => number;
  readonly observer: StoreObserver;
}

export function isShared({ store }: Config): boolean {
  return !store.url.startsWith('sqlite:');
}

/** Also locks the data folder. @throws StartError */
export async function openStore(options: OpenStoreOptions): Promise<Stores> {
  const { dataDir } = options.config.general;
  const lock = options.isFolderLocked ? undefined : lockDataFolder(dataDir);
  try {
    const store = isShared(options.config) ? await openShared(options) : openOwn(options);
    return {
      ...store,
      close: async () => {
        await store.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

export function lockDataFolder(dataDir: string): DataFolderLock {
  let lock: DataFolderLock | undefined;
  try {
    makeFolder(dataDir);
    lock = acquireLock(join(dataDir, lockName));
  } catch (error) {
    const { reason, isLasting } = explainFolderFault(error, dataDir);
    throw new StartError(`The data folder ${dataDir} cannot be used: ${reason}`, { cause: error, isLasting });
  }
  if (lock) return lock;
  throw new StartError(`Another Mayfly runs on the data folder ${dataDir}.`);
}

/**
 * Locks a store outside the data folder, which two services with different folders must not share.
 * Returns undefined when the folder's own lock covers it. @throws StartError when another process has it
 */
function lockStoreFile(file: string, dataDir: string): DataFolderLock | undefined {
  const real = realPath(file);
  const lockFile = join(dirname(real), `${basename(real).replace(/\.db$/, '')}.lock`);
  if (lockFile === join(realpathSync(dataDir), lockName)) return undefined;
  const lock = acquireLock(lockFile);
  if (lock) return lock;
  throw new StartError(`Another Mayfly runs on the store ${file}.`);
}

/** For a store that does not exist yet, resolves its folder. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return join(realpathSync(dirname(resolve(file))), basename(file));
  }
}

/** The limits of the operator's mailbox. */
function toMailboxLimits({ limits }: Config) {
  return { messagesMax: limits.operatorMessages, bytesMax: limits.operatorBytes };
}

function toQuota({ limits }: Config) {
  return { messages: limits.sessionMessages, bytes: limits.sessionBytes };
}

/** Returns the path of the SQLite file. @param url as in MAYFLY_STORE_URL */
function toSqliteFile(url: string, dataDir: string): string {
  return url === 'sqlite:' ? join(dataDir, 'mayfly.db') : url.slice('sqlite:'.length);
}

function openOwn(options: OpenStoreOptions): Stores {
  const { config } = options;
  const { dataDir } = config.general;
  const file = toSqliteFile(config.store.url, dataDir);
  let lock: DataFolderLock | undefined;
  try {
    lock = options.isFolderLocked ? undefined : lockStoreFile(file, dataDir);
    const [quota, outbox] = [toQuota(config), toOutboxSettings(config)];
    const store = openSqliteStore({ ...options, file, quota, outbox });
    return {
      ...store,
      operatorMailbox: openMaildir({
        folder: join(dataDir, 'operator'),
        toWriteError,
        ...toMailboxLimits(config),
      }),
      close: async () => {
        await store.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    if (error instanceof StartError) throw error;
    const { reason, isLasting } = explainFolderFault(error, file);
    throw new StartError(`The store ${file} cannot be opened: ${reason}`, { cause: error, isLasting });
  }
}

async function openShared(options: OpenStoreOptions): Promise<Stores> {
  const { config, log } = options;
  const { url, directUrl, prepared } = config.store;
  // Never loaded by an installation on SQLite.
  const { openPostgresStore, isLastingFault } = await import('../store/postgres/open-postgres-store.ts');
  try {
    return await openPostgresStore({
      ...options,
      url,
      quota: toQuota(config),
      directUrl: directUrl || undefined,
      isPrepared: prepared === 'auto' ? directUrl === '' : prepared === 'on',
      operatorMailbox: toMailboxLimits(config),
      totalLifetimeMs: config.session.totalMaxSeconds * 1000,
      outbox: toOutboxSettings(config),
      onReachable: (isReachable, error) => {
        if (isReachable) log.info('store.reachable', {});
        else log.error('store.unreachable', { reason: describeStoreFault(error) });
      },
      onWarning: (warning) => {
        log.warn('store.warning', { warning });
      },
    });
  } catch (error) {
    throw new StartError(`The store cannot be opened: ${describeStoreFault(error)}`, {
      isLasting: isLastingFault(error),
    });
  }
}
