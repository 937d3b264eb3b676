// Builds the service into build/<hash of what it is built from>, and hands out the folder.
// bin/mayfly.mjs, the tests, the benchmark and `npm run build` call it; it does nothing when the build is current.
// It never touches a finished build: a new one is made beside it and renamed into place, so running processes keep
// theirs. It does not check types; `npm run check` does, and a type error must not keep a service from starting.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { markInUse, pruneBuilds } from './prune-builds.mjs';
import { hashSources, readSources } from './read-sources.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUILDS = path.join(ROOT, 'build');
const CONFIG = ['tsconfig.json', 'package-lock.json', 'scripts/build.mjs', 'scripts/transpile.mjs'];

/**
 * What can be built. `base` is cut off the paths of the sources: src/main.ts becomes <build>/main.js.
 * @typedef {{ name: string, folders: readonly string[], base: string }} Target
 */
const SERVICE = { name: 'service', folders: ['src'], base: 'src' };
const BENCH = { name: 'bench', folders: ['bench'], base: 'bench' };

/** @returns {Promise<string>} the folder of the service's current build; its entry is main.js */
export function ensureBuilt() {
  return ensure(SERVICE);
}

/** @returns {Promise<string>} the folder of the benchmark's current build; its entry is run.js */
export function ensureBenchBuilt() {
  return ensure(BENCH);
}

/**
 * @param {Target} target
 * @returns {Promise<string>}
 */
async function ensure(target) {
  const files = await readSources(ROOT, { folders: target.folders, files: CONFIG });
  const folder = path.join(BUILDS, `${target.name}-${hashSources(files)}`);
  if (!existsSync(folder)) {
    await build(target, files, folder);
    await pruneBuilds(BUILDS, new RegExp(`^${target.name}-`));
    // What a killed build left behind.
    await pruneBuilds(BUILDS, /^draft-/);
  }
  await markInUse(folder);
  return folder;
}

/**
 * @param {Target} target
 * @param {readonly import('./read-sources.mjs').SourceFile[]} files
 * @param {string} folder
 */
async function build(target, files, folder) {
  const startedAt = performance.now();
  const draft = path.join(BUILDS, `draft-${process.pid}-${randomUUID()}`);
  await mkdir(draft, { recursive: true });
  try {
    await emit(target, files, draft);
    await putInPlace(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  // Standard error, so that a command's own output stays clean.
  console.error(
    `mayfly: built the ${target.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

/**
 * @param {Target} target
 * @param {readonly import('./read-sources.mjs').SourceFile[]} files
 * @param {string} draft
 */
async function emit(target, files, draft) {
  const { transpile } = await import('./transpile.mjs');
  for (const file of files) {
    if (CONFIG.includes(file.path)) continue;
    const out = path.join(draft, path.posix.relative(target.base, file.path));
    await mkdir(path.dirname(out), { recursive: true });
    if (file.path.endsWith('.ts')) {
      await writeFile(out.replace(/\.ts$/, '.js'), transpile(file.path, file.bytes.toString('utf8')));
    } else {
      await writeFile(out, file.bytes);
    }
  }
}

/**
 * Another process may have finished the same build first; its result is as good.
 * @param {string} draft
 * @param {string} folder
 */
async function putInPlace(draft, folder) {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Builds dist/, what the published package runs. */
async function buildDist() {
  const files = await readSources(ROOT, { folders: SERVICE.folders, files: CONFIG });
  const dist = path.join(ROOT, 'dist');
  await rm(dist, { recursive: true, force: true });
  await emit(SERVICE, files, dist);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await (process.argv[2] === '--dist' ? buildDist() : ensureBuilt());
}
