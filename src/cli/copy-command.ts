// `mayfly copy --from sqlite:FOLDER --to postgres:…`: copies a whole SQLite store to an empty PostgreSQL database.

import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { OperatorError } from '../service/operating/operator-error.ts';
import { openCopyTarget } from '../store/postgres/copy/copy-target.ts';
import { acquireDataFolderLock } from '../store/sqlite/data-folder-lock.ts';
import { openSqliteSource, type SqliteStep } from '../store/sqlite/copy/sqlite-source.ts';
import { openMaildirSource } from '../store/transfer/maildir-source.ts';
import { TransferRefused, type TransferSource } from '../store/transfer/transfer-rows.ts';
import { type TransferCounts, transferStore } from '../store/transfer/transfer-store.ts';

export interface CopyRequest {
  /** `sqlite:FOLDER`, or `sqlite:FILE` for a store outside its data folder. */
  readonly from: string;
  /** A PostgreSQL URL. */
  readonly to: string;
}

export interface CopyDeps {
  /** The data folder from the settings, for a store outside it. */
  readonly dataDir: string;
  /** Describes a database error in one line without the URL. */
  readonly describeFault: (error: unknown) => string;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
}

interface StoreFolder {
  readonly file: string;
  readonly dataDir: string;
}

const sayEveryMs = 5000;

/** @throws OperatorError */
export async function copyStore({ from, to }: CopyRequest, deps: CopyDeps): Promise<void> {
  const place = findStoreFolder(from, deps.dataDir);
  const lock = acquireDataFolderLock(place.dataDir);
  if (!lock) throw new OperatorError(`A Mayfly runs on the data folder ${place.dataDir}: stop it first.`);
  try {
    await copyFrom(place, to, deps);
  } catch (error) {
    if (error instanceof TransferRefused) throw new OperatorError(error.message, { cause: error });
    throw error;
  } finally {
    lock.release();
  }
}

function findStoreFolder(from: string, ownDataDir: string): StoreFolder {
  const path = resolve(from.slice('sqlite:'.length));
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const place = isFolder
    ? { file: join(path, 'mayfly.db'), dataDir: path }
    : { file: path, dataDir: resolve(ownDataDir) };
  if (!existsSync(place.file)) throw new OperatorError(`There is no store at ${place.file}.`);
  if (!existsSync(place.dataDir)) {
    throw new OperatorError(`There is no data folder ${place.dataDir}, only ${dirname(place.file)}.`);
  }
  return place;
}

async function copyFrom({ file, dataDir }: StoreFolder, to: string, deps: CopyDeps): Promise<void> {
  const store = openSqliteSource(file);
  try {
    const source = withOperatorMail(store, join(dataDir, 'operator'));
    const counts = await copyInto(source, to, deps);
    if (counts === undefined) return;
    deps.say(`Copied ${file}: ${describeCounts(counts)}.`);
    deps.say(
      'Now serve only with MAYFLY_STORE_URL on PostgreSQL, with this data folder or with its server.key in each ' +
        'node’s own. Serving the SQLite store again would create two installations.',
    );
  } finally {
    store.close();
  }
}

function withOperatorMail(store: ReturnType<typeof openSqliteSource>, folder: string): TransferSource {
  const maildir = openMaildirSource(folder);
  return {
    ...store,
    fingerprint: createHash('sha256').update(store.fingerprint).update(maildir.fingerprint).digest('hex'),
    readBatch: (step, after) =>
      step === 'operatorMail' ? maildir.readBatch(after) : store.readBatch(step satisfies SqliteStep, after),
  };
}

/** Resolves with undefined when an earlier run had finished. */
async function copyInto(
  source: TransferSource,
  to: string,
  { describeFault, say }: CopyDeps,
): Promise<TransferCounts | undefined> {
  try {
    const target = await openCopyTarget(to, source.fingerprint);
    try {
      if (target.finishedAt) {
        say(`This store was copied at ${target.finishedAt.toISOString()}: there is nothing left to do.`);
        return undefined;
      }
      if (target.progressOf('domains')) say('Resuming where an earlier copy was interrupted.');
      let printedAt = performance.now();
      return await transferStore({
        source,
        target,
        onProgress: (step, rows) => {
          if (performance.now() - printedAt < sayEveryMs) return;
          printedAt = performance.now();
          say(`… ${describeStep(step)}: ${rows}`);
        },
      });
    } finally {
      // The failure may be from closing.
      await Promise.allSettled([target.close()]);
    }
  } catch (error) {
    if (error instanceof TransferRefused) throw error;
    throw new OperatorError(`The copy failed: ${describeFault(error)} Run it again to continue.`, {
      cause: error,
    });
  }
}

/** Converts `operatorMail` to `operator mail`. */
function describeStep(step: string): string {
  return step.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function describeCounts(counts: TransferCounts): string {
  const { sessions, messages, domains, keys, accounts, endpoints, operatorMail } = counts;
  return (
    `${sessions} sessions, ${messages} messages, ${domains} domains, ` +
    `${keys} API keys, ${counts.blocks} blocks, ${accounts} Gmail accounts, ${endpoints} webhooks with ` +
    `${counts.outbox} queued calls, ${counts.addresses} addresses, ${operatorMail} pieces of mail to the operator`
  );
}
