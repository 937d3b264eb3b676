// A lock between processes, based on a file that only one of them can create. For work that takes milliseconds.

import { open, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { codeOf, ignoreAbsent } from '../../../packages/system-errors/src/error-code.ts';
import { InboxError } from './errors.ts';

/** Older locks were left behind by a process that died. */
const staleMs = 10_000;
const patienceMs = 30_000;
const pauseMs = 15;

/** Runs the work while holding the lock. @throws InboxError */
export async function withFileLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  while (!(await take(lock))) {
    if (performance.now() > until) throw new InboxError(`Another process holds ${lock}.`);
    await removeStale(lock);
    await delay(pauseMs * (0.5 + Math.random()));
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Renames the lock, which only one process can do, and puts it back if it turns out not to be the stale one. */
async function removeStale(lock: string): Promise<void> {
  const old = await stat(lock).catch(ignoreAbsent);
  if (!old || Date.now() - old.mtimeMs < staleMs) return;
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if ((await stat(aside).catch(ignoreAbsent))?.mtimeMs === old.mtimeMs) await rm(aside, { force: true });
  else await rename(aside, lock);
}
