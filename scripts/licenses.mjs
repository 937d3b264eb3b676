// Writes the licenses of the bundled packages, which require their text to accompany their code. Called by build.mjs.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const licenseName = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;

/**
 * @param {readonly string[]} files that went into the bundles
 * @param {string} folder
 */
export async function writeLicenses(files, folder) {
  const packages = new Set(
    files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? []),
  );
  if (packages.size === 0) return;
  const texts = await Promise.all([...packages].sort().map(describe));
  await writeFile(path.join(folder, 'third-party-licenses.txt'), [...new Set(texts)].join('\n'));
}

/** @param {string} place folder of the package */
async function describe(place) {
  /** @type {{ name: string, version: string, license?: string }} */
  const {
    name,
    version,
    license = 'see below',
  } = JSON.parse(await readFile(path.join(place, 'package.json'), 'utf8'));
  const names = (await readdir(place)).filter((file) => licenseName.test(file)).sort();
  const texts = await Promise.all(names.map((file) => readFile(path.join(place, file), 'utf8')));
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trimEnd()), ''].join('\n\n');
}
