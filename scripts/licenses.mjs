// Writes the licenses of the bundled packages, which require their text to accompany their code. Called by build.mjs. A
// package whose text is found nowhere fails the build.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIfThere } from './read-if-there.mjs';

const licenseName = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;
/** The texts of packages that name a license and contain none, from their repositories. */
const others = fileURLToPath(new URL('licences', import.meta.url));
/** The shortest license in use has 700 characters; less is a name or a link. */
const textMinChars = 300;

/**
 * @param {readonly string[]} files that went into the bundles
 * @param {string} folder
 * @param {readonly string[]} texts files with the licenses of what was copied into this repository
 */
export async function writeLicenses(files, folder, texts) {
  const packages = new Set(
    files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file) ?? []),
  );
  if (packages.size === 0) return;
  const described = await Promise.all([...packages].sort().map(describeLicense));
  const copied = await Promise.all(
    texts.map(async (file) => `${path.basename(file)}\n\n${await readFile(file, 'utf8')}`),
  );
  await writeFile(
    path.join(folder, 'third-party-licenses.txt'),
    [...new Set(described), ...copied].join('\n'),
  );
}

/**
 * @param {string} place folder of the package
 * @throws Error when its license is found nowhere
 */
export async function describeLicense(place) {
  /** @type {{ name: string, version: string, license?: string }} */
  const {
    name,
    version,
    license = 'see below',
  } = JSON.parse(await readFile(path.join(place, 'package.json'), 'utf8'));
  const files = (await readdir(place)).sort();
  const found = await Promise.all(
    files.filter((file) => licenseName.test(file)).map((file) => readText(place, file)),
  );
  const texts = [found, [await readSection(place, files)], [await readOther(name)]].find((candidates) =>
    candidates.some((text) => text.length >= textMinChars),
  );
  if (texts === undefined) {
    throw new Error(`${name} ${version} is bundled without its license: put its text into scripts/licences.`);
  }
  return [`${name} ${version} (${license})`, ...texts.filter((text) => text !== ''), ''].join('\n\n');
}

/**
 * @param {string} place
 * @param {string} file
 */
async function readText(place, file) {
  return (await readFile(path.join(place, file), 'utf8')).trim();
}

/**
 * Reads the license from the page that describes the package, under a heading of its own.
 * @param {string} place
 * @param {readonly string[]} files
 */
async function readSection(place, files) {
  const page = files.find((file) => /^readme(?:\.md)?$/i.test(file));
  if (page === undefined) return '';
  const [, section = ''] =
    /^#+ *licen[cs]e *\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(await readText(place, page)) ?? [];
  return section.trim();
}

/** @param {string} name */
async function readOther(name) {
  return ((await readIfThere(path.join(others, `${name.replace('/', '__')}.txt`))) ?? '').trim();
}
