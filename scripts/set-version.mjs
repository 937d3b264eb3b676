// Sets the version common to everything released from here: the service, its packages, the clients in every language.
//   node scripts/set-version.mjs 0.2.0     writes it everywhere
//   node scripts/set-version.mjs --check   fails if places differ; used by `npm run check`
//   node scripts/set-version.mjs --check --tag v0.2.0   fails for another tag too; used by the release
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** SemVer without build metadata and prereleases, so that Python and Go accept it too. */
const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const dependencyKinds = /** @type {const} */ (['dependencies', 'devDependencies', 'peerDependencies']);

/**
 * @typedef {{ name?: string, version?: string } & Partial<Record<typeof dependencyKinds[number], Record<string, string>>>} Manifest
 * @typedef {object} Place
 * @property {string} file
 * @property {string} what
 * @property {string | undefined} version
 */

/** Returns the folders of npm packages, relative to the root; '' is the service's own. @param {string} root */
export function npmFolders(root) {
  const isPackage = (/** @type {string} */ folder) => existsSync(path.join(root, folder, 'package.json'));
  const inside = ['packages', 'clients'].flatMap((parent) =>
    existsSync(path.join(root, parent))
      ? readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`)
      : [],
  );
  return ['', ...inside.filter(isPackage).sort()];
}

/**
 * Returns every place that contains the version.
 * @param {string} root
 * @returns {readonly Place[]}
 */
export function readVersions(root) {
  const folders = npmFolders(root);
  const manifests = folders.map((folder) => {
    const file = path.posix.join(folder, 'package.json');
    return { file, manifest: /** @type {Manifest} */ (readJson(root, file)) };
  });
  const names = new Set(manifests.map(({ manifest }) => manifest.name ?? ''));
  const { version, packages } = /** @type {{ version?: string, packages: Record<string, Manifest> }} */ (
    readJson(root, 'package-lock.json')
  );
  return [
    ...manifests.flatMap(({ file, manifest }) => inManifest({ file, manifest, names })),
    { file: 'package-lock.json', what: 'version', version },
    // Packages that need no others are no workspaces: nothing of them is installed.
    ...folders.flatMap((folder) => {
      const manifest = packages[folder];
      return manifest ? inManifest({ file: 'package-lock.json', manifest, names, of: folder }) : [];
    }),
    ...texts.flatMap(({ file, what, expression }) => {
      if (!existsSync(path.join(root, file))) return [];
      return { file, what, version: expression.exec(readText(root, file))?.[2] };
    }),
  ];
}

/** Files in other formats: the version is the expression's second group. */
const texts = [
  {
    file: 'clients/python/pyproject.toml',
    what: 'version',
    expression: /^(\[project\]\n(?:(?!\[).*\n)*?version = ")([^"]*)/m,
  },
  {
    file: 'clients/action/action.yml',
    what: 'default of the input version',
    expression: /^( {2}version:\n(?: {4}.*\n)*? {4}default: ['"]?)([^'"\n]*)/m,
  },
  ...['one-node', 'two-nodes'].map((name) => ({
    file: `deploy/compose/${name}.yml`,
    what: 'version of the image',
    expression: /^( +image: \$\{MAYFLY_IMAGE:-\S+\/mayfly:)([^}\n]*)/m,
  })),
  {
    file: 'clients/action/README.md',
    what: 'version that is used',
    expression: /^( +- uses: \S+\/clients\/action@v)(\S*)/m,
  },
];

/**
 * @param {{ file: string, manifest: Manifest, names: ReadonlySet<string>, of?: string }} given
 * @returns {readonly Place[]}
 */
function inManifest({ file, manifest, names, of = '' }) {
  const prefix = of === '' ? '' : `${of}: `;
  const ours = dependencyKinds.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([name]) => names.has(name))
      .map(([name, version]) => ({ file, what: `${prefix}${kind} ${name}`, version })),
  );
  return [{ file, what: `${prefix}version`, version: manifest.version }, ...ours];
}

/**
 * Describes the places that are wrong, a line each.
 * @param {readonly Place[]} places
 * @param {string} [tag] to be released, such as v0.2.0
 */
export function findDifferences(places, tag) {
  const [{ version: wanted = '' } = {}] = places;
  const wrong = places
    .filter(({ version }) => version !== wanted)
    .map(
      ({ file, what, version }) =>
        `${file}: ${what} is ${version ?? 'missing'}, package.json says ${wanted}: run node scripts/set-version.mjs ${wanted}`,
    );
  if (!form.test(wanted)) wrong.push(`package.json: "${wanted}" is not a version of the form 1.2.3`);
  if (tag !== undefined && tag !== `v${wanted}`) {
    wrong.push(`The tag ${tag} is not v${wanted}, the version of package.json`);
  }
  return wrong;
}

/**
 * Writes the version to every place.
 * @param {string} root
 * @param {string} version
 * @throws RangeError when the version is invalid
 */
export function writeVersion(root, version) {
  if (!form.test(version)) throw new RangeError(`"${version}" is not a version of the form 1.2.3`);
  const folders = npmFolders(root);
  const files = folders.map((folder) => path.posix.join(folder, 'package.json'));
  const manifests = files.map((file) => /** @type {Manifest} */ (readJson(root, file)));
  const names = new Set(manifests.map(({ name }) => name ?? ''));
  for (const [at, manifest] of manifests.entries()) {
    setIn(manifest, version, names);
    writeJson(root, files[at] ?? '', manifest);
  }
  const lock = /** @type {{ version?: string, packages: Record<string, Manifest> }} */ (
    readJson(root, 'package-lock.json')
  );
  lock.version = version;
  for (const folder of folders) setIn(lock.packages[folder] ?? {}, version, names);
  writeJson(root, 'package-lock.json', lock);
  for (const { file, expression } of texts) {
    if (!existsSync(path.join(root, file))) continue;
    const text = readText(root, file);
    writeFileSync(path.join(root, file), text.replace(expression, `$1${version}`));
  }
}

/**
 * @param {Manifest} manifest
 * @param {string} version
 * @param {ReadonlySet<string>} names
 */
function setIn(manifest, version, names) {
  manifest.version = version;
  for (const kind of dependencyKinds) {
    for (const name of Object.keys(manifest[kind] ?? {})) {
      if (names.has(name)) Object.assign(manifest[kind] ?? {}, { [name]: version });
    }
  }
}

/**
 * @param {string} root
 * @param {string} file
 */
function readText(root, file) {
  return readFileSync(path.join(root, file), 'utf8');
}

/**
 * @param {string} root
 * @param {string} file
 * @returns {unknown}
 */
function readJson(root, file) {
  return JSON.parse(readText(root, file));
}

/**
 * Formats JSON as npm does.
 * @param {string} root
 * @param {string} file
 * @param {unknown} value
 */
function writeJson(root, file, value) {
  writeFileSync(path.join(root, file), `${JSON.stringify(value, null, 2)}\n`);
}

function main() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false }, tag: { type: 'string' } },
  });
  const [version] = positionals;
  if (version !== undefined) writeVersion(root, version);
  else if (!values.check) throw new RangeError('Give a version, or --check.');
  const wrong = findDifferences(readVersions(root), values.tag);
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
