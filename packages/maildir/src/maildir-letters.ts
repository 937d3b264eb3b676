// Reads the mail of a Maildir, like any mail program.

import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreAbsent } from '../../system-errors/src/error-code.ts';

export interface Letter {
  readonly id: string;
  readonly isNew: boolean;
  readonly at: Date;
  readonly bytes: number;
}

/** The messages as their owner reads them, beside a program that delivers more. */
export interface MaildirLetters {
  /** Newest first. */
  list(): Promise<readonly Letter[]>;
  /** Returns at most the first `bytesMax`; none of a message that was removed meanwhile. */
  read(id: string, bytesMax: number): Promise<Buffer>;
  markRead(id: string): Promise<void>;
  remove(id: string): Promise<void>;
}

interface Found extends Letter {
  readonly path: string;
}

/** A message is read, marked and removed by the path it had when it was last listed. */
export function openMaildirLetters(folder: string): MaildirLetters {
  let paths: ReadonlyMap<string, string> = new Map();
  const pathOf = (id: string): string => paths.get(id) ?? join(folder, 'cur', id);
  return {
    list: async () => {
      const found = await listFiles(folder);
      paths = new Map(found.map(({ id, path }) => [id, path]));
      return found;
    },
    read: async (id, bytesMax) =>
      (await readStart(pathOf(id), bytesMax).catch(ignoreAbsent)) ?? Buffer.alloc(0),
    // As mail programs do: https://cr.yp.to/proto/maildir.html
    markRead: async (id) => {
      const path = pathOf(id);
      await rename(path, join(folder, 'cur', `${nameOf(path)}:2,S`)).catch(ignoreAbsent);
    },
    remove: (id) => rm(pathOf(id), { force: true }),
  };
}

async function listFiles(folder: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const part of ['new', 'cur']) {
    for (const name of (await readdir(join(folder, part)).catch(ignoreAbsent)) ?? []) {
      const path = join(folder, part, name);
      const file = await stat(path).catch(ignoreAbsent);
      if (file) found.push({ id: idOf(name), path, isNew: part === 'new', at: file.mtime, bytes: file.size });
    }
  }
  return found.sort((one, other) => other.at.getTime() - one.at.getTime());
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/:2,.*$/, '');
}

/** Returns the random part of names that Mayfly chose; otherwise the whole name. */
function idOf(name: string): string {
  return /^\d+\.P\d+Q\d+R([0-9a-f]{12})\./.exec(name)?.[1] ?? nameOf(name);
}

async function readStart(path: string, bytesMax: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, bytesMax);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
