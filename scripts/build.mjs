// Builds the service into build/service-<hash of its sources> and returns the folder: bundled, as it is shipped. The
// page is built into build/web-<hash> when it has changed, and copied into the service's build. Tests that import or
// alter single modules of the service get build/modules-<hash>, where every src/x/y.ts is x/y.js. bin/mayfly.mjs, the
// tests, the benchmark and `npm run build` call it; it does nothing when the build is current. It never changes a
// finished build: a new one is made beside it and renamed into place, so running processes keep theirs. It does not
// check types, which is left to `npm run check`: a type error must not keep a service from starting.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { pagePackages } from './page-packages.mjs';
import { marksFolder, markInUse, pruneBuilds } from './prune-builds.mjs';
import { hashSources, readSources } from './read-sources.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const builds = path.join(root, 'build');
/**
 * The mail reader's package: part of every bundle that uses it, and placed like an installed package beside unbundled
 * modules.
 */
const reader = 'packages/mail-reader';
const readerInstalled = 'node_modules/@mayfly/mail-reader';
const commonConfig = [
  'package.json',
  'tsconfig.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/transpile.mjs',
];
/** The client used by the commands `mayfly inbox` and by the MCP server. Sources without these two build too. */
const client = 'clients/typescript';
const hasClient = existsSync(path.join(root, client));
/**
 * The packages of this repository that are part of the service, by the names in its package.json (`#networks/*`):
 * source folder and place in an unbundled build.
 */
const ownPackages = readOwnPackages();
const serviceFolders = [
  'src',
  ...ownPackages.map(({ source }) => source.slice(0, -1)),
  `${reader}/src`,
  ...(hasClient ? [`${client}/src`] : []),
];
/** The MCP server, with the packages of this repository that it uses placed like installed packages. */
const mcp = 'clients/mcp';
/** Linked into the MCP server's folder, and part of its dist/. */
const networks = 'packages/networks/src';
const modulesConfig = [
  ...commonConfig,
  `${reader}/package.json`,
  ...(hasClient ? [`${client}/package.json`] : []),
];
const copiedLicenses = ['packages/names/LICENSE-friendly-words', 'packages/mail-report/LICENSE-caniemail'];
const bundleConfig = [
  ...modulesConfig,
  'scripts/bundle.mjs',
  'scripts/packed-keywords.mjs',
  'scripts/licenses.mjs',
  'scripts/licences/abstract-logging.txt',
  'scripts/licences/saxes.txt',
  ...copiedLicenses,
];
const pageConfig = [
  'tsconfig.json',
  'package-lock.json',
  'scripts/build-web.mjs',
  'scripts/first-style.mjs',
  'scripts/page-packages.mjs',
];
/** The service looks for the page beside its main.js. */
const pageFolder = 'web';

/** Source folder → place in an unbundled build, for packages of this repository. */
const installedAs = [
  ...ownPackages,
  { source: `${reader}/src/`, installed: `${readerInstalled}/dist/` },
  { source: `${reader}/package.json`, installed: `${readerInstalled}/package.json` },
  { source: `${client}/src/`, installed: 'node_modules/mayfly-client/dist/' },
  { source: `${client}/package.json`, installed: 'node_modules/mayfly-client/package.json' },
];

/** @typedef {readonly import('./read-sources.mjs').SourceFile[]} Sources */

/**
 * A build made from the sources in `folders` and the files of `config`; `emit` writes it into a folder.
 * @typedef {object} Target
 * @property {string} name
 * @property {readonly string[]} folders
 * @property {readonly string[]} config
 * @property {(sources: Sources, folder: string) => Promise<unknown>} emit
 */
/** @type {Target} */
const pageTarget = {
  name: 'web',
  folders: ['web'],
  config: pageConfig,
  emit: (_sources, folder) => bundlePage(folder),
};
/** @type {Target} */
const bench = {
  name: 'bench',
  folders: ['bench'],
  config: commonConfig,
  emit: (sources, folder) => transpileAll(sources, (file) => path.posix.relative('bench', file), folder),
};
/** @type {Target} */
const mcpServer = {
  name: 'mcp',
  folders: [`${mcp}/src`, networks, `${client}/src`, `${reader}/src`],
  config: [...commonConfig, `${mcp}/package.json`, `${reader}/package.json`, `${client}/package.json`],
  emit: (sources, folder) => transpileAll(sources, (file) => placeInMcp(file), folder),
};

/** @returns {Promise<string>} the folder of the service's current build; its entry is main.js */
export async function ensureBuilt() {
  const page = await ensure(pageTarget);
  return ensure(service(page), path.basename(page));
}

/** @returns {Promise<string>} the folder of the service's unbundled modules; its entry is main.js too */
export async function ensureModulesBuilt() {
  const page = await ensure(pageTarget);
  return ensure(modules(page), path.basename(page));
}

/**
 * @param {string} page the folder of its build
 * @returns {Target}
 */
function service(page) {
  return {
    name: 'service',
    folders: serviceFolders,
    config: bundleConfig,
    emit: async (sources, folder) => {
      const { bundle } = await import('./bundle.mjs');
      const { writeLicenses } = await import('./licenses.mjs');
      const files = await bundle(
        root,
        sources.map((file) => file.path),
        folder,
      );
      const inPage = pagePackages.map((name) => path.join(root, 'node_modules', name, 'package.json'));
      await writeLicenses(
        [...files, ...inPage],
        folder,
        copiedLicenses.map((file) => path.join(root, file)),
      );
      await copyOthers(sources, folder);
      await copyPage(page, folder);
    },
  };
}

/**
 * @param {string} page the folder of its build
 * @returns {Target}
 */
function modules(page) {
  return {
    name: 'modules',
    folders: serviceFolders,
    config: modulesConfig,
    emit: async (sources, folder) => {
      await transpileAll(sources, placeOf, folder);
      await writeManifest(folder);
      await copyPage(page, folder);
    },
  };
}

/** @returns {readonly { name: string, source: string, installed: string }[]} */
function readOwnPackages() {
  /** @type {{ imports: Record<string, { 'mayfly-source': string }> }} */
  const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.entries(imports)
    .map(([name, { 'mayfly-source': files }]) => ({
      name,
      source: files.replace(/^\.\/|\*\.ts$/g, ''),
      // With `src`, by which packages import one another.
      installed: `packages/${name.slice(1, -1)}src/`,
    }))
    .filter(({ source }) => existsSync(path.join(root, source)));
}

/**
 * Tells Node where unbundled modules find the packages of this repository.
 * @param {string} folder
 */
async function writeManifest(folder) {
  /** @type {{ type: string, version: string }} */
  const { type, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const imports = Object.fromEntries(ownPackages.map(({ name, installed }) => [name, `./${installed}*.js`]));
  const manifest = { type, version, imports };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
}

/** @returns {Promise<string>} the folder of the benchmark's current build; its entry is run.js */
export function ensureBenchBuilt() {
  return ensure(bench);
}

/** @returns {Promise<string>} the folder of the MCP server's current build; its entry is main.js */
export async function ensureMcpBuilt() {
  return path.join(await ensure(mcpServer), 'dist');
}

/**
 * @param {Target} target
 * @param {string} [ingredient] anything else that goes into the build, by name
 * @returns {Promise<string>}
 */
async function ensure(target, ingredient = '') {
  const sources = await readSources(root, { folders: target.folders, files: target.config });
  const hash = hashSources(sources, ingredient);
  const folder = path.join(builds, `${target.name}-${hash}`);
  if (!existsSync(folder)) {
    await build(target, sources, folder);
    await pruneBuilds(builds, new RegExp(`^${target.name}-`));
    // Left behind by a killed build.
    await pruneBuilds(builds, /^draft-/);
  }
  await markInUse(folder);
  return folder;
}

/**
 * @param {Target} target
 * @param {Sources} sources
 * @param {string} folder
 */
async function build(target, sources, folder) {
  // Standard error, so that a command's own output stays clean.
  console.error(`mayfly: building the ${target.name}, because its sources have changed`);
  const startedAt = performance.now();
  const draft = path.join(builds, `draft-${process.pid}-${randomUUID()}`);
  await mkdir(draft, { recursive: true });
  try {
    await target.emit(sources, draft);
    await putInPlace(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  console.error(
    `mayfly: built the ${target.name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

/**
 * Returns the place of a source of the service in its build: src/main.ts becomes main.ts.
 * @param {string} file
 */
function placeOf(file) {
  return placeBeside(file) ?? path.posix.relative('src', file);
}

/**
 * Returns the place in a build for a file of another package of this repository; undefined for others.
 * @param {string} file
 */
function placeBeside(file) {
  const found = installedAs.find(({ source }) => file.startsWith(source));
  return found && found.installed + file.slice(found.source.length);
}

/**
 * Returns the place of a source of the MCP server in its build, which is laid out as published.
 * @param {string} file
 */
function placeInMcp(file) {
  if (file.startsWith(`${networks}/`)) return `dist/networks/${file.slice(networks.length + 1)}`;
  return placeBeside(file) ?? path.posix.relative(mcp, file).replace(/^src\//, 'dist/');
}

/**
 * Transpiles TypeScript and copies other files.
 * @param {Sources} sources
 * @param {(file: string) => string} place
 * @param {string} folder
 */
async function transpileAll(sources, place, folder) {
  const { transpile } = await import('./transpile.mjs');
  for (const file of sources) {
    if (commonConfig.includes(file.path)) continue;
    const out = path.join(folder, place(file.path));
    await mkdir(path.dirname(out), { recursive: true });
    if (file.path.endsWith('.ts')) {
      await writeFile(out.replace(/\.ts$/, '.js'), transpile(file.path, file.bytes.toString('utf8')));
    } else {
      await writeFile(out, file.bytes);
    }
  }
}

/**
 * Copies the files that the service reads at run time, such as its migrations.
 * @param {Sources} sources
 * @param {string} folder
 */
async function copyOthers(sources, folder) {
  const others = sources.filter(
    (file) => !bundleConfig.includes(file.path) && !/\.(?:ts|mjs)$/.test(file.path),
  );
  for (const file of others) {
    const out = path.join(folder, placeOf(file.path));
    await mkdir(path.dirname(out), { recursive: true });
    await writeFile(out, file.bytes);
  }
}

/**
 * @param {string} page the folder of its build
 * @param {string} folder
 */
async function copyPage(page, folder) {
  await cp(page, path.join(folder, pageFolder), { recursive: true, filter: isNotMark });
}

/** @param {string} folder */
async function bundlePage(folder) {
  const script = path.join(root, 'scripts', 'build-web.mjs');
  // The published page is always built for production.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stderr } = await promisify(execFile)(process.execPath, [script, folder], { env });
  process.stderr.write(stderr);
}

/**
 * Returns whether a path of a build is part of it, rather than a mark of its users.
 * @param {string} source
 */
function isNotMark(source) {
  return path.basename(source) !== marksFolder;
}

/**
 * Renames the draft into place. Another process may have finished the same build first; its result is as good.
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

/**
 * Copies the current build, which the published package runs.
 * @param {string} dist
 */
export async function copyBuild(dist) {
  await cp(await ensureBuilt(), dist, { recursive: true, filter: isNotMark });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await ensureBuilt();
