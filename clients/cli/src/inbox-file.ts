// The inboxes created here, with their tokens: $XDG_STATE_HOME/mayfly/inboxes.json, readable only by its owner. Written
// completely and renamed into place, under a lock, so that parallel commands lose nothing.

import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

import { codeOf, ignoreAbsent } from '../../../packages/system-errors/src/error-code.ts';
import { messageOf } from '../../../packages/system-errors/src/error-message.ts';
import { withFileLock } from './file-lock.ts';
import { InboxError } from './errors.ts';

export interface KnownInbox {
  /** URL of its service, without a slash at the end. */
  readonly url: string;
  readonly email: string;
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly created_at: string;
}

export interface InboxFile {
  /** The folder, for other private files. */
  readonly folder: string;
  /** Oldest first; empty without a file. @throws InboxError if others can read the file, or it is broken */
  list(): Promise<KnownInbox[]>;
  /** @throws InboxError */
  change(change: (inboxes: readonly KnownInbox[]) => readonly KnownInbox[]): Promise<void>;
}

const fileMaxBytes = 4 * 1024 * 1024;
/** The most inboxes kept, far above manual use; the oldest are dropped. */
const inboxesMax = 1000;
const othersRights = 0o077;

export function openInboxFile(environment: Readonly<Record<string, string | undefined>>): InboxFile {
  const folder = path.join(stateHome(environment), 'mayfly');
  const file = path.join(folder, 'inboxes.json');
  const list = (): Promise<KnownInbox[]> => explained(file, () => readInboxes(file));
  return {
    folder,
    list,
    change: (change) =>
      explained(file, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await closeFolder(folder);
        await withFileLock(`${file}.lock`, async () => {
          const inboxes = change(await readInboxes(file)).slice(-inboxesMax);
          await writePrivately(file, `${JSON.stringify({ version: 1, inboxes }, undefined, 2)}\n`);
        });
      }),
  };
}

/** A relative path must be ignored (XDG Base Directory Specification). */
function stateHome({
  XDG_STATE_HOME: given = '',
  HOME: home = '',
}: Readonly<Record<string, string | undefined>>) {
  return path.isAbsolute(given) ? given : path.join(home || homedir(), '.local', 'state');
}

/** Writes a file readable only by its owner, completely or not at all. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The folder contains only files of this program, so an open one is made private. */
async function closeFolder(folder: string): Promise<void> {
  if (((await lstat(folder)).mode & othersRights) !== 0) await chmod(folder, 0o700);
}

async function readInboxes(file: string): Promise<KnownInbox[]> {
  const found = await lstat(file).catch(ignoreAbsent);
  if (!found) return [];
  if (!found.isFile() || found.size > fileMaxBytes) {
    throw new InboxError(`${file} is not the file of inboxes.`);
  }
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!isOurs) throw new InboxError(`${file} belongs to another user.`);
  if (process.getuid !== undefined && (found.mode & othersRights) !== 0) {
    throw new InboxError(
      `${file} contains the keys of inboxes, and other users may have read it: chmod 600 it, or remove it.`,
    );
  }
  const inboxes = parse(await readFile(file, 'utf8'));
  if (inboxes) return inboxes;
  throw new InboxError(`${file} was not written by mayfly; move it away.`);
}

function parse(text: string): KnownInbox[] | undefined {
  try {
    const { inboxes } = JSON.parse(text) as { inboxes?: unknown };
    return Array.isArray(inboxes) && inboxes.every(isKnownInbox) ? inboxes : undefined;
  } catch {
    return undefined;
  }
}

function isKnownInbox(value: unknown): value is KnownInbox {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  const texts = ['url', 'email', 'token', 'expires_at', 'created_at'].map((name) => fields[name]);
  return texts.every((text) => typeof text === 'string') && URL.canParse(String(fields['url']));
}

/** Explains an error of the file system in one line. */
async function explained<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new InboxError(`The inboxes cannot be kept in ${file}: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}
