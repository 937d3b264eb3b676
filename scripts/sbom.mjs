// Writes the bill of materials of each package for npm, in CycloneDX, into the package: what it is installed with, and
// for the service what its bundles contain, since those packages are only development dependencies. Called by
// release.mjs before it packs.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const sbomName = 'sbom.cdx.json';

/**
 * @typedef {object} Component
 * @property {string} bom-ref `name@version`
 * @property {string} name
 * @property {string} version
 *
 * @typedef {object} Sbom
 * @property {{ component: Component }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn?: string[] }[]} dependencies
 */

/**
 * @typedef {object} Package
 * @property {string} at its folder; '' for the service, which must have been built into dist
 * @property {{ name: string, version: string, dependencies?: Record<string, string> }} manifest
 */

/**
 * @param {string} root the repository
 * @param {readonly Package[]} packages
 */
export function writeSboms(root, packages) {
  const whole = readSbom(root);
  const all = [whole.metadata.component, ...whole.components].map((one) => ({
    ...one,
    name: nameOf(one['bom-ref']),
  }));
  const graph = readGraph(whole, packages);
  for (const { at, manifest } of packages) {
    const own = `${manifest.name}@${manifest.version}`;
    // The bundles hold only a part of what their packages need.
    const wanted = new Set([...reach(graph, own), ...(at === '' ? bundled(root) : [])]);
    const components = all.filter((one) => wanted.has(one['bom-ref']));
    const missing = [...wanted].filter((ref) => !components.some((one) => one['bom-ref'] === ref));
    if (missing.length > 0) throw new Error(`the lockfile does not have ${missing.join(', ')}`);
    const sbom = {
      ...whole,
      metadata: { ...whole.metadata, component: components.find((one) => one['bom-ref'] === own) },
      components: components.filter((one) => one['bom-ref'] !== own),
      dependencies: [...wanted].map((ref) => ({
        ref,
        dependsOn: (graph.get(ref) ?? []).filter((other) => wanted.has(other)),
      })),
    };
    writeFileSync(path.join(root, at, sbomName), `${JSON.stringify(sbom, null, 2)}\n`);
  }
}

/** @param {string} ref */
function nameOf(ref) {
  return ref.slice(0, ref.lastIndexOf('@'));
}

/**
 * Returns what each package is installed with: of those of this repository, without what their development needs.
 * @param {Sbom} sbom
 * @param {readonly Package[]} packages
 * @returns {Map<string, string[]>}
 */
function readGraph({ dependencies }, packages) {
  const graph = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  for (const { manifest } of packages) {
    const ref = `${manifest.name}@${manifest.version}`;
    const { dependencies: installed = {} } = manifest;
    graph.set(
      ref,
      (graph.get(ref) ?? []).filter((other) => nameOf(other) in installed),
    );
  }
  return graph;
}

/**
 * npm names packages of this repository by their folders; only references are right.
 * @param {string} root
 * @returns {Sbom}
 */
function readSbom(root) {
  const command = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { status, stdout, stderr } = spawnSync('npm', command, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`npm ${command.join(' ')} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}

/**
 * Returns the package and everything that it is installed with.
 * @param {Map<string, string[]>} graph
 * @param {string} from
 */
function reach(graph, from) {
  const found = new Set([from]);
  for (const ref of found) for (const other of graph.get(ref) ?? []) found.add(other);
  return found;
}

/**
 * Reads the packages in the bundles from the licenses beside them.
 * @param {string} root
 */
function bundled(root) {
  const text = readFileSync(path.join(root, 'dist/third-party-licenses.txt'), 'utf8');
  return [...text.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}
