// A mailbox as a Maildir (https: cr.yp.to/proto/maildir.html): one file per message, completed in `tmp/`
// before it is moved to `new/`. Bounded, since anyone may write to it.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ignoreAbsent } from '../../system-errors/src/error-code.ts';

export interface MaildirMessage {
  readonly sizeBytes: number;
  /** Iterated once. */
  readonly pieces: Iterable<Uint8Array>;
}

export interface KeptMessage {
  /** Removes it. */
  withdraw(): Promise<void>;
}

export interface Maildir {
  /** Asked before a message of this size is sent; 0 when the size is unknown. */
  isFull(sizeBytes: number): Promise<boolean>;
  /** Resolves when the message is on disk, or with `full` when the mailbox had reached its limits before it. */
  deliver(message: MaildirMessage): Promise<KeptMessage | 'full'>;
}

export interface MaildirOptions {
  readonly folder: string;
  /** Returns the error for callers of a write that failed. */
  readonly toWriteError: (error: unknown) => unknown;
  readonly messagesMax: number;
  readonly bytesMax: number;
}

const subfolders = ['tmp', 'new', 'cur'];
/** Names of files that deliver() makes. */
const ownName = /^\d+\.P\d+Q\d+R[0-9a-f]{12}\./;
/** How long a count stays valid: the operator's mail program deletes files without notice. */
const countedForMs = 5000;

interface Usage {
  messages: number;
  bytes: number;
}

export function openMaildir({ folder, toWriteError, messagesMax, bytesMax }: MaildirOptions): Maildir {
  for (const name of subfolders) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  // The data folder has one owner: half-written files from an earlier run are useless.
  for (const name of readdirSync(join(folder, 'tmp'))) {
    if (ownName.test(name)) rmSync(join(folder, 'tmp', name));
  }
  /** The last count plus later deliveries. */
  let usage: Usage = { messages: 0, bytes: 0 };
  let countedAt = -Infinity;
  let counting: Promise<Usage> | undefined;
  const underWay: Usage = { messages: 0, bytes: 0 };
  let delivered = 0;

  async function countInTime(): Promise<void> {
    if (performance.now() - countedAt <= countedForMs) return;
    try {
      counting ??= countUsage(folder);
      usage = await counting;
      countedAt = performance.now();
    } finally {
      counting = undefined;
    }
  }

  function hasRoom(sizeBytes: number): boolean {
    const messages = usage.messages + underWay.messages;
    return messages < messagesMax && usage.bytes + underWay.bytes + sizeBytes <= bytesMax;
  }

  return {
    isFull: async (sizeBytes) => {
      await countInTime();
      return !hasRoom(Math.max(1, sizeBytes));
    },
    deliver: async (message) => {
      const { sizeBytes } = message;
      await countInTime();
      // Below its limits it takes a message of any size, as a session does.
      if (!hasRoom(1)) return 'full';
      add(underWay, 1, sizeBytes);
      try {
        delivered += 1;
        const unique = `${Math.floor(Date.now() / 1000)}.P${process.pid}Q${delivered}R${randomBytes(6).toString('hex')}`;
        const name = `${unique}.${hostname().replace(/[/:]/g, '_')}`;
        await writeMessage(folder, name, message).catch((error: unknown) => {
          throw toWriteError(error);
        });
        add(usage, 1, sizeBytes);
        return {
          withdraw: async () => {
            await rm(join(folder, 'new', name), { force: true });
            add(usage, -1, -sizeBytes);
          },
        };
      } finally {
        add(underWay, -1, -sizeBytes);
      }
    },
  };
}

function add(usage: Usage, messages: number, bytes: number): void {
  usage.messages += messages;
  usage.bytes += bytes;
}

async function countUsage(folder: string): Promise<Usage> {
  const usage = { messages: 0, bytes: 0 };
  await makeFolders(folder);
  for (const name of ['new', 'cur']) {
    for (const file of await readdir(join(folder, name))) {
      const found = await stat(join(folder, name, file)).catch(ignoreAbsent);
      usage.messages += found ? 1 : 0;
      usage.bytes += found?.size ?? 0;
    }
  }
  return usage;
}

/** The operator may have removed them. */
async function makeFolders(folder: string): Promise<void> {
  for (const name of subfolders) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
}

async function writeMessage(folder: string, name: string, { pieces }: MaildirMessage): Promise<void> {
  const temporary = join(folder, 'tmp', name);
  await makeFolders(folder);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      for (const piece of pieces) await file.appendFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, 'new', name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(join(folder, 'new'));
}

/** A new name is durable only once its folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
