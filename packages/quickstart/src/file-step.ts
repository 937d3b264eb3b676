// The step that writes one file, in one rename, and puts back the one that was there before.

import type { Stats } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, ignoreAbsent } from '../../system-errors/src/error-code.ts';
import type { PlannedFile } from './plan-files.ts';
import { done, type Step } from './run-steps.ts';

interface Before {
  readonly content: Buffer;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export function fileStep({ path, content, mode }: PlannedFile): Step {
  let before: Before | undefined;
  return {
    name: path,
    async check() {
      before = await readBefore(path);
      if (!before) return 'it is not there';
      if (before.content.toString() !== content) return 'its content differs';
      return (before.mode & 0o777) === mode ? done : 'its mode differs';
    },
    apply: () => replaceFile(path, Buffer.from(content), mode),
    async undo() {
      if (!before) return rm(path, { force: true });
      await replaceFile(path, before.content, before.mode & 0o777);
      await chown(path, before.uid, before.gid);
    },
  };
}

export interface PlannedFolder {
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** @param plan called when it is time, since the owner may be made by a step before */
export function folderStep(path: string, plan: () => Promise<Omit<PlannedFolder, 'path'>>): Step {
  let before: Stats | undefined;
  return {
    name: path,
    async check() {
      const found = await statIfThere(path);
      before = found;
      if (!found) return 'it is not there';
      const { mode, uid, gid } = await plan();
      return (found.mode & 0o7777) === mode && found.uid === uid && found.gid === gid
        ? done
        : 'its owner or mode differs';
    },
    async apply() {
      const { mode, uid, gid } = await plan();
      await mkdir(path, { recursive: true, mode });
      await chown(path, uid, gid);
      await chmod(path, mode);
    },
    async undo() {
      if (!before) return removeUnfilled(path);
      await chown(path, before.uid, before.gid);
      await chmod(path, before.mode & 0o7777);
    },
  };
}

/** The file by which a service has its data folder alone. One that fails before it stores anything leaves it. */
const lockName = 'mayfly.lock';

/** Leaves a folder with files in it: those are not ours to remove. */
async function removeUnfilled(path: string): Promise<void> {
  const names = await readdir(path).catch(ignoreFilled);
  if (names?.length === 1 && names[0] === lockName) await rm(join(path, lockName));
  await rmdir(path).catch(ignoreFilled);
}

function ignoreFilled(error: unknown): undefined {
  const code = codeOf(error);
  if (code !== 'ENOTEMPTY' && code !== 'ENOENT') throw error;
}

async function readBefore(path: string): Promise<Before | undefined> {
  const found = await statIfThere(path);
  return found && { content: await readFile(path), mode: found.mode, uid: found.uid, gid: found.gid };
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch(ignoreAbsent);
}

async function replaceFile(path: string, content: Buffer, mode: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.new`;
  const handle = await open(fresh, 'w', mode);
  try {
    try {
      await handle.chmod(mode);
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
