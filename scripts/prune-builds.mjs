// Deletes old builds, except those marked as in use. scripts/build.mjs calls it after a new build. A running service
// loads workers from its folder long after its start, so a folder marked by a live process, or returned within the
// last hour, is never deleted.
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

const kept = 3;
const graceMs = 60 * 60 * 1000;
/** The folder of a build for the process ids of its users. */
export const marksFolder = '.in-use';
/** Marks of this process, removed when it ends. @type {Set<string>} */
const marks = new Set();

/**
 * Keeps `folder` from being deleted while this process lives, and for an hour from now in any case.
 * @param {string} folder a build
 */
export async function markInUse(folder) {
  const mark = path.join(folder, marksFolder, String(process.pid));
  try {
    await mkdir(path.dirname(mark), { recursive: true });
    await writeFile(mark, '');
    await utimes(folder, new Date(), new Date());
  } catch (error) {
    // A service user who can only read the clone leaves no mark; only the hour protects its build.
    if (['EACCES', 'EPERM', 'EROFS'].some((code) => hasCode(error, code))) return;
    throw error;
  }
  if (marks.size === 0) {
    process.once('exit', () => {
      for (const each of marks) rmSync(each, { force: true });
    });
  }
  marks.add(mark);
}

/**
 * Deletes the builds in `parent` whose names match `names`, except the newest three and those in use.
 * @param {string} parent a folder
 * @param {RegExp} names those of one kind of build
 */
export async function pruneBuilds(parent, names) {
  const found = (await readdir(parent)).filter((name) => names.test(name));
  const builds = await Promise.all(found.map((name) => describe(path.join(parent, name))));
  const old = builds
    .filter((build) => build !== undefined)
    .sort((a, b) => b.usedAt - a.usedAt)
    .slice(kept)
    .filter((build) => !build.inUse && build.usedAt < Date.now() - graceMs);
  await Promise.all(old.map((build) => rm(build.folder, { recursive: true, force: true })));
}

/**
 * @param {string} folder
 * @returns {Promise<{ folder: string, usedAt: number, inUse: boolean } | undefined>} undefined when it has just gone
 */
async function describe(folder) {
  const about = await unlessMissing(stat(folder));
  if (about === undefined) return undefined;
  const marks = (await unlessMissing(readdir(path.join(folder, marksFolder)))) ?? [];
  return { folder, usedAt: about.mtimeMs, inUse: marks.some((pid) => isAlive(Number(pid))) };
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>}
 */
async function unlessMissing(promise) {
  try {
    return await promise;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
