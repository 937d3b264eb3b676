// The layout of a backup: a folder with the important files of a data folder and a manifest with their checksums,
// written last. Used by the backup and restore commands.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { codeOf, ignoreAbsent } from '../../system-errors/src/error-code.ts';

export const storeName = 'mayfly.db';
/** Replaces the store's file when the store is a database. */
export const dumpName = 'mayfly.pgdump';
const manifestName = 'backup.json';
const formatVersion = 1;
/** The files besides the store: keys for data that outlives sessions, and the certificate. */
const otherFiles = ['server.key', 'push.key', 'tls/cert.pem', 'tls/key.pem'];
const otherFolders = ['operator/new', 'operator/cur'];

export interface Manifest {
  readonly format: number;
  /** The program's version. */
  readonly version: string;
  readonly schema: number;
  /** ISO 8601. */
  readonly madeAt: string;
  /** SHA-256 by path in the backup. */
  readonly files: Readonly<Record<string, string>>;
}

/** Lists the other files of this data folder for a backup, leaving out missing ones. */
export async function listOtherFiles(dataDir: string): Promise<string[]> {
  const files: string[] = [];
  for (const folder of otherFolders) {
    for (const name of await listFolder(join(dataDir, folder))) files.push(`${folder}/${name}`);
  }
  for (const name of otherFiles) {
    const siblings = await listFolder(join(dataDir, dirname(name)));
    if (siblings.includes(name.split('/').at(-1) ?? '')) files.push(name);
  }
  return files.sort();
}

/** Lists the names in the folder; none when it does not exist. */
export async function listFolder(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreAbsent)) ?? [];
}

/** Creates parent folders as needed; resolves when the copy is on disk. */
export async function copyOnDisk(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await syncFile(to);
}

/** Renames if possible, else copies. */
export async function moveOnDisk(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    await copyOnDisk(from, to);
    // The service may have removed it since.
    await rm(from, { force: true });
  }
}

export async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** Written last, since a folder without a manifest is not a backup. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const file = join(folder, manifestName);
  const handle = await open(`${file}.new`, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify({ format: formatVersion, ...manifest }, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  await syncFile(folder);
}

/** @throws Error with a line for the operator when the folder contains no complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, manifestName), 'utf8');
  } catch (error) {
    throw new Error(`${folder} is not a finished backup: it has no ${manifestName}.`, { cause: error });
  }
  const manifest = parseManifest(text);
  if (!manifest) throw new Error(`${join(folder, manifestName)} cannot be read by this version of Mayfly.`);
  return manifest;
}

function parseManifest(text: string): Manifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const manifest = value as Partial<Manifest> | null;
  if (manifest?.format !== formatVersion || typeof manifest.files !== 'object') return undefined;
  const entries = Object.entries(manifest.files as Record<string, unknown>);
  const areFine = entries.every(([name, sum]) => isOwnName(name) && /^[0-9a-f]{64}$/.test(String(sum)));
  const stores = [storeName, dumpName].filter((name) => Object.hasOwn(manifest.files ?? {}, name));
  return areFine && stores.length === 1 ? (manifest as Manifest) : undefined;
}

/** Accepts only names that a backup contains, and no path out of the folder. */
function isOwnName(name: string): boolean {
  if (name === storeName || name === dumpName || otherFiles.includes(name)) return true;
  const file = name.split('/').at(-1) ?? '';
  return otherFolders.some((folder) => name === `${folder}/${file}`) && file !== '' && !/^\.\.?$/.test(file);
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
