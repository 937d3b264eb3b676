// Writes the bill of materials of a package for npm, in CycloneDX, into its laid-out folder: what it is installed with,
// and for the service what its bundles contain, since those packages are only development dependencies.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publishedPackages, serviceFolder } from './published-manifest.mjs';
import { run } from './run.mjs';

export const sbomName = 'sbom.cdx.json';

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
 * @param {string} root the repository
 * @param {import('./published-manifest.mjs').Package} given
 * @param {string} folder the package as laid out
 */
export function writeSbom(root, { at, manifest }, folder) {
  const whole = readSbom(root);
  const service = readSbom(path.join(root, serviceFolder));
  const found = new Map(
    [whole.metadata.component, ...whole.components, ...service.components].map((one) => [
      one['bom-ref'],
      // npm names packages of this repository by their folders; only references are right.
      { ...one, name: nameOf(one['bom-ref']) },
    ]),
  );
  const graph = readGraph(root, { whole, service });
  const own = refOf(manifest);
  const wanted = [...new Set([...reach(graph, own), ...(at === '' ? bundled(folder) : [])])];
  const missing = wanted.filter((ref) => !found.has(ref));
  if (missing.length > 0) throw new Error(`the lockfile does not have ${missing.join(', ')}`);
  const sbom = {
    ...whole,
    metadata: { ...whole.metadata, component: found.get(own) },
    components: wanted.filter((ref) => ref !== own).map((ref) => found.get(ref)),
    dependencies: wanted.map((ref) => ({
      ref,
      dependsOn: (graph.get(ref) ?? []).filter((other) => wanted.includes(other)),
    })),
  };
  writeFileSync(path.join(folder, sbomName), `${JSON.stringify(sbom, null, 2)}\n`);
}

/** @param {{ name: string, version: string }} manifest */
function refOf({ name, version }) {
  return `${name}@${version}`;
}

/** @param {string} ref */
function nameOf(ref) {
  return ref.slice(0, ref.lastIndexOf('@'));
}

/**
 * Returns what each package is installed with: of those of this repository, without what their development needs.
 * @param {string} root
 * @param {{ whole: Sbom, service: Sbom }} read
 * @returns {Map<string, string[]>}
 */
function readGraph(root, { whole, service }) {
  const graph = new Map(
    [...whole.dependencies, ...service.dependencies].map(({ ref, dependsOn = [] }) => [ref, dependsOn]),
  );
  for (const { at, manifest } of publishedPackages(root)) {
    const { dependencies = {} } = manifest;
    const from = at === '' ? service.metadata.component['bom-ref'] : refOf(manifest);
    graph.set(
      refOf(manifest),
      (graph.get(from) ?? []).filter((other) => nameOf(other) in dependencies),
    );
  }
  return graph;
}

/** @type {Map<string, Sbom>} */
const read = new Map();

/**
 * @param {string} folder of a lockfile
 * @returns {Sbom}
 */
function readSbom(folder) {
  const known = read.get(folder);
  if (known !== undefined) return known;
  /** @type {Sbom} */
  const sbom = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], folder));
  read.set(folder, sbom);
  return sbom;
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
 * @param {string} folder
 */
function bundled(folder) {
  const text = readFileSync(path.join(folder, 'dist/third-party-licenses.txt'), 'utf8');
  return [...text.matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
}
