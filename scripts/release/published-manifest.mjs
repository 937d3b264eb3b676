// Makes the manifests of the published npm packages from those of the sources. They differ: a source manifest has what
// developing needs (workspaces, scripts, entries of sources), and the service's names the driver of a clone.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { npmFolders } from '../set-version.mjs';

/** The service's engines and dependencies, with a lockfile of their own: what an installation has. */
export const serviceFolder = 'scripts/release/service';

/** A published manifest takes these over; everything else serves development. */
const kept = /** @type {const} */ ([
  'name',
  'version',
  'description',
  'keywords',
  'homepage',
  'bugs',
  'license',
  'author',
  'repository',
  'type',
  'sideEffects',
  'engines',
  'bin',
  'exports',
  'imports',
  'dependencies',
  'peerDependencies',
  'peerDependenciesMeta',
]);

/**
 * @typedef {Record<string, string | Record<string, string>>} Entries
 *
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {string[]} [files]
 * @property {{ url?: string, directory?: string }} [repository]
 * @property {Record<string, string>} [engines]
 * @property {Entries} [exports]
 * @property {Entries} [imports]
 * @property {Record<string, string>} [dependencies]
 * @property {readonly string[]} [keywords]
 * @property {string} [homepage]
 * @property {{ url?: string }} [bugs]
 *
 * @typedef {object} Package
 * @property {string} at its folder in the repository; '' is the service's
 * @property {Manifest} source
 * @property {Manifest} manifest as published
 */

/**
 * Returns the packages for npm, each after those that it depends on.
 * @param {string} root
 * @returns {Package[]}
 * @throws Error when a manifest lacks what the registry shows or requires
 */
export function publishedPackages(root) {
  const found = npmFolders(root)
    .map((at) => ({ at, source: readManifest(root, at) }))
    .filter(({ source }) => source.private !== true)
    .map(({ at, source }) => ({ at, source, manifest: publishedManifest(root, at, source) }));
  for (const one of found) checkManifest(one);
  /** @param {Manifest} manifest @returns {number} */
  const depth = ({ dependencies = {} }) =>
    Math.max(
      0,
      ...found
        .filter(({ manifest }) => manifest.name in dependencies)
        .map(({ manifest }) => 1 + depth(manifest)),
    );
  return found.toSorted((a, b) => depth(a.manifest) - depth(b.manifest));
}

/**
 * @param {string} root
 * @param {string} at
 * @returns {Manifest}
 */
function readManifest(root, at) {
  return JSON.parse(readFileSync(path.join(root, at, 'package.json'), 'utf8'));
}

/**
 * @param {string} root
 * @param {string} at
 * @param {Manifest} source
 * @returns {Manifest}
 */
function publishedManifest(root, at, source) {
  const entries = kept
    .filter((key) => key in source)
    .map((key) => [key, source[/** @type {keyof Manifest} */ (key)]]);
  const manifest = /** @type {Manifest} */ (Object.fromEntries(entries));
  for (const key of /** @type {const} */ (['exports', 'imports'])) {
    const entries = withoutSources(manifest[key] ?? {});
    if (Object.keys(entries).length > 0) manifest[key] = entries;
    else delete manifest[key];
  }
  if (at !== '') return manifest;
  const { engines = {}, dependencies = {} } = readManifest(root, serviceFolder);
  return { ...manifest, engines, dependencies };
}

/**
 * Removes the condition for the sources, which are not published, and entries that have nothing else.
 * @param {Entries} entries
 * @returns {Entries}
 */
function withoutSources(entries) {
  const published = Object.entries(entries).map(([name, target]) => {
    if (typeof target === 'string') return [name, target];
    const { 'mayfly-source': _, ...others } = target;
    return [name, others];
  });
  return Object.fromEntries(published.filter(([, target]) => Object.keys(target ?? {}).length > 0));
}

/** @param {Package} given */
function checkManifest({ at, manifest }) {
  const { repository = {}, keywords = [], homepage = '', bugs = {} } = manifest;
  // npm refuses provenance for a package that does not name its source repository.
  const isFound = repository.url !== undefined && (repository.directory ?? '') === at;
  if (isFound && keywords.length > 0 && homepage !== '' && bugs.url !== undefined) return;
  throw new Error(
    `${path.join(at, 'package.json')} must have keywords, homepage, bugs.url, and a repository with a url and the ` +
      `directory "${at}".`,
  );
}
