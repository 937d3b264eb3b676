// Reads source folders into memory once, and hashes their bytes. scripts/build.mjs compiles the same bytes, so an edit
// made during a build can never end up under the hash of others. It writes nothing.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * @typedef {object} SourceFile
 * @property {string} path relative to the repository's root, with forward slashes
 * @property {Buffer} bytes
 */

/**
 * Returns every file below `folders` and every file of `files`, sorted by path, without tests and hidden files.
 * @param {string} root absolute folder
 * @param {{ folders: readonly string[], files: readonly string[] }} wanted
 * @returns {Promise<SourceFile[]>}
 */
export async function readSources(root, wanted) {
  const listed = await Promise.all(wanted.folders.map((folder) => listFolder(root, folder)));
  const paths = [...listed.flat(), ...wanted.files].sort();
  return Promise.all(
    paths.map(async (file) => ({ path: file, bytes: await readFile(path.join(root, file)) })),
  );
}

/**
 * @param {readonly SourceFile[]} files sorted
 * @param {string} [ingredient] anything else that goes into the hash
 * @returns {string} 16 hexadecimal digits
 */
export function hashSources(files, ingredient = '') {
  const hash = createHash('sha256').update(ingredient);
  for (const file of files) {
    hash.update(`${file.path}\0${file.bytes.length}\0`).update(file.bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * @param {string} root
 * @param {string} folder
 */
async function listFolder(root, folder) {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'));
}

/** @param {string} name */
function isSource(name) {
  return !name.startsWith('.') && !name.endsWith('~') && !/\.test\.tsx?$/.test(name);
}
