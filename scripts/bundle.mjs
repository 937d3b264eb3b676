// Bundles the service: one file for its main thread and one for each worker thread, with the packages they use, so
// that a start reads a few files instead of hundreds. Each lies where its source does (packages/mail-threads/src/reader-worker.ts
// becomes packages/mail-threads/reader-worker.js), so that modules find files relative to themselves as they do unbundled. Modules
// loaded on demand become files beside it, and so do source maps, for packages/telemetry. scripts/build.mjs calls
// it.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { packedName, packKeywords } from './packed-keywords.mjs';

/**
 * Returns the place of a source in the build: src/main.ts becomes main.ts, packages/x/src/y.ts packages/x/y.ts.
 * @param {string} file
 */
function placeInBuild(file) {
  return file.replace(/^src\/|(?<=^packages\/[^/]+\/)src\//, '');
}

/** The entries of threads, and modules loaded by URL. */
const threadEntries = [
  'src/main.ts',
  'packages/mail-threads/src/reader-worker.ts',
  'packages/mail-threads/src/authentication-worker.ts',
  'src/compat/senders/compose-worker.ts',
  'packages/group-commit/src/checkpoint-worker.mjs',
];

/**
 * Reads which packages are installed with the package and stay outside the bundle: better-sqlite3, native code that
 * npm fetches or compiles for the machine. All others are development dependencies.
 * @param {string} root
 * @returns {Promise<string[]>}
 */
async function readInstalled(root) {
  /** @type {{ dependencies?: Record<string, string> }} */
  const { dependencies = {} } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  return Object.keys(dependencies);
}

/**
 * @param {string} root the repository
 * @param {readonly string[]} sources paths in it; entries that are not among them are left out
 * @param {string} folder
 * @returns {Promise<string[]>} paths of the bundled files that belong to packages
 */
export async function bundle(root, sources, folder) {
  const entries = threadEntries.filter((entry) => sources.includes(entry));
  const external = await readInstalled(root);
  const modules = await Promise.all(entries.map((entry) => bundleEntry(root, { entry, folder, external })));
  return [...new Set(modules.flat())].sort();
}

/**
 * @param {string} root
 * @param {{ entry: string, folder: string, external: string[] }} place the entry, and the folder to bundle it into
 */
async function bundleEntry(root, { entry, folder, external }) {
  const place = path.posix.parse(placeInBuild(entry));
  const name = path.posix.join(place.dir, place.name);
  /** @type {string[]} */
  const copied = [];
  const { plugin: seeImports, groups } = groupChunks(root);
  const build = await rolldown({
    input: { [name]: path.join(root, entry) },
    cwd: root,
    platform: 'node',
    external,
    // Uses the sources of this repository's packages.
    resolve: { conditionNames: ['mayfly-source', 'node'] },
    tsconfig: false,
    // These warnings concern code of packages, and are harmless.
    checks: { eval: false, pluginTimings: false, bundlerTimings: false },
    plugins: [
      packWords(root, place.dir),
      keepPlaces(root, place.dir),
      fitPackages(root),
      leaveOut(),
      bringTables(root, { folder: place.dir, copied }),
      seeImports,
    ],
  });
  try {
    const { output } = await build.write({
      dir: folder,
      format: 'esm',
      entryFileNames: `[name]${place.ext === '.mjs' ? '.mjs' : '.js'}`,
      chunkFileNames: `${name}.[name].js`,
      codeSplitting: { groups },
      minify: {
        compress: false,
        mangle: { keepNames: { function: true, class: true } },
        codegen: { removeWhitespace: true },
      },
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    return [...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])), ...copied];
  } finally {
    await build.close();
  }
}

/**
 * Keeps `import.meta.url` as it would be unbundled, since modules find files relative to themselves.
 * @param {string} root
 * @param {string} place folder of the bundle
 * @returns {import('rolldown').Plugin}
 */
function keepPlaces(root, place) {
  return {
    name: 'keep-places',
    async load(id) {
      const file = path.relative(root, id).replaceAll(path.sep, '/');
      if (!/^(?:src|packages\/(?!mail-reader\/)[^/]+\/src)\//.test(file) || !/\.m?[jt]s$/.test(file)) {
        return null;
      }
      const code = await readFile(id, 'utf8');
      if (!code.includes('import.meta.url')) return null;
      const own = path.posix.relative(place, placeInBuild(file)).replace(/\.ts$/, '.js');
      // On the same line, to preserve line numbers.
      return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, import.meta.url).href`);
    },
  };
}

const keywordTables = 'packages/mail-reader/src/extract/keyword-tables.ts';

/**
 * Builds the keyword tables once, instead of in each thread that needs them.
 * @param {string} root
 * @param {string} place folder of the bundle
 * @returns {import('rolldown').Plugin}
 */
function packWords(root, place) {
  const packed = path.join(root, 'scripts/packed-keywords.mjs');
  return {
    name: 'pack-words',
    resolveId: (id, importer) =>
      importer !== undefined && path.resolve(path.dirname(importer), id) === path.join(root, keywordTables)
        ? packed
        : null,
    async generateBundle(_, output) {
      const isUsed = Object.values(output).some(
        (file) => file.type === 'chunk' && file.moduleIds.includes(packed),
      );
      if (!isUsed) return;
      const fileName = path.posix.join(place, packedName);
      this.emitFile({ type: 'asset', fileName, source: packKeywords(await makeKeywordTables(root)) });
    },
  };
}

/**
 * Runs the source itself, transpiled, because Node 20 cannot load it.
 * @param {string} root
 * @returns {Promise<object>}
 */
export async function makeKeywordTables(root) {
  const build = await rolldown({
    input: path.join(root, keywordTables),
    cwd: root,
    platform: 'node',
    tsconfig: false,
  });
  try {
    const { output } = await build.generate({ format: 'esm' });
    const url = `data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`;
    /** @type {{ loadKeywordTables: () => object }} */
    const { loadKeywordTables } = await import(url);
    return loadKeywordTables();
  } finally {
    await build.close();
  }
}

/**
 * Inlines files that packages read from their own folders while loading, and keeps the router from compiling functions
 * for each route, a third of what routes cost at a start: file, text, replacement.
 */
const fittings = [
  {
    file: '/find-my-way/lib/node.js',
    pattern: /(?<=function compilePrefixMatch \(prefix\) )\{[^]*?\n\}(?=\n)/,
    text: () => '{ return (path, i) => path.startsWith(prefix, i) }',
  },
  {
    // It looks at the expressions of routes, which are our own.
    file: '/find-my-way/index.js',
    pattern: /(?<=const isRegexSafe = )require\('safe-regex2'\)/,
    text: () => '() => true',
  },
  {
    file: '/find-my-way/lib/handler-storage.js',
    pattern: /(?<= _compileCreateParamsObject \(params\) )\{[^]*?\n {2}\}(?=\n)/,
    text: () =>
      '{ if (params.length === 0) return () => new NullObject(); return (...values) => { const made = new NullObject();' +
      ' params.forEach((name, at) => { made[name] = at < 4 ? values[at] : values[4][at - 4] }); return made } }',
  },
  {
    file: '/jsdom/lib/jsdom/living/helpers/style-rules.js',
    pattern: /fs\.readFileSync\([^;]*\)/,
    text: async (/** @type {string} */ folder) =>
      JSON.stringify(await readFile(path.join(folder, '../../browser/default-stylesheet.css'), 'utf8')),
  },
  {
    // Only for synchronous requests of scripts, and no script of a message runs.
    file: '/jsdom/lib/jsdom/living/xhr/XMLHttpRequest-impl.js',
    pattern: /require\.resolve \? require\.resolve\("[^"]*"\) : null/,
    text: () => 'null',
  },
];

/**
 * @param {string} root
 * @returns {import('rolldown').Plugin}
 */
function fitPackages(root) {
  return {
    name: 'fit-packages',
    // The package's own bundle contains the data that its modules read from files.
    resolveId: (id) =>
      id === 'css-tree' ? path.join(root, 'node_modules/css-tree/dist/csstree.esm.js') : null,
    async load(id) {
      const fitted = fittings.find(({ file }) => id.replaceAll(path.sep, '/').endsWith(file));
      if (fitted === undefined) return null;
      const code = await readFile(id, 'utf8');
      if (!fitted.pattern.test(code)) throw new Error(`${id} no longer contains ${fitted.pattern}.`);
      const text = await fitted.text(path.dirname(id));
      return code.replace(fitted.pattern, () => text);
    },
  };
}

/**
 * Packages that others use on paths the service never takes: Fastify's schema compilers (http/create-fastify), its
 * support for requests without a socket, proxies (networks/client-address has them) and versions of plugins, and Pino's
 * threads. A quarter of the bundle, which every start would read.
 */
const leftOut = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/proxy-addr',
  'light-my-request',
  'semver',
  'thread-stream',
];
const leftOutPrefix = '\0left-out:';

/** @returns {import('rolldown').Plugin} */
function leaveOut() {
  return {
    name: 'leave-out',
    resolveId: (id) => (leftOut.includes(id) ? `${leftOutPrefix}${id}` : null),
    load: (id) => {
      if (!id.startsWith(leftOutPrefix)) return null;
      const reason = `${id.slice(leftOutPrefix.length)} is left out of the bundle.`;
      // Some load it whether they use it or not.
      return `const refuse = () => { throw new Error(${JSON.stringify(reason)}); };
        module.exports = new Proxy(refuse, { get: refuse, construct: refuse });`;
    },
  };
}

const tablesUser = 'packages/mail-reader/src/text/iconv-tables.ts';
const tables = 'node_modules/iconv-lite';

/**
 * Copies iconv-lite's tables, which are read when a charset needs them, into a folder beside the bundles.
 * @param {string} root
 * @param {{ folder: string, copied: string[] }} place folder of the bundle; `copied` gets the files
 * @returns {import('rolldown').Plugin}
 */
function bringTables(root, { folder, copied }) {
  const wanted = /^(?:package\.json|encodings\/(?:sbcs-data(?:-generated)?\.js|tables\/.*\.json))$/;
  return {
    name: 'bring-tables',
    async load(id) {
      if (path.relative(root, id).replaceAll(path.sep, '/') !== tablesUser) return null;
      const names = (await readdir(path.join(root, tables), { recursive: true }))
        .map((name) => name.replaceAll(path.sep, '/'))
        .filter((name) => wanted.test(name));
      for (const name of names) {
        const file = path.join(root, tables, name);
        this.emitFile({ type: 'asset', fileName: `iconv-lite/${name}`, source: await readFile(file) });
        copied.push(file);
      }
      const code = await readFile(id, 'utf8');
      return code.replaceAll(
        /(['`])iconv-lite\//g,
        `$1${path.posix.relative(folder, '') || '.'}/iconv-lite/`,
      );
    },
  };
}

/** The commands by which a service starts, and those that start as often as programs call them. */
const serviceCommands = ['src/cli/run-service.ts', 'src/cli/run-dev.ts'];
const smallCommands = ['src/cli/sendmail-command.ts', 'src/cli/inbox-commands.ts'];

/**
 * Puts what every command needs into one file, what a service needs besides into another, and what small commands share
 * with it into a third: a start read a hundred files otherwise, which takes as long as their code.
 * @param {string} root
 * @returns {{ plugin: import('rolldown').Plugin, groups: import('rolldown').CodeSplittingGroup[] }}
 */
function groupChunks(root) {
  const main = path.join(root, 'src/main.ts');
  /** @type {Record<'base' | 'small' | 'service', Set<string>>} */
  const reached = { base: new Set(), small: new Set(), service: new Set() };
  return {
    plugin: {
      name: 'group-chunks',
      buildEnd() {
        const reach = (/** @type {Set<string>} */ found, /** @type {string} */ id) => {
          const imported = found.has(id) ? undefined : this.getModuleInfo(id)?.importedIds;
          if (imported === undefined) return;
          found.add(id);
          for (const one of imported) reach(found, one);
        };
        reach(reached.base, main);
        // It waits for the command that it runs, whose file must not wait for it.
        reached.base.delete(main);
        for (const file of smallCommands) reach(reached.small, path.join(root, file));
        for (const file of serviceCommands) reach(reached.service, path.join(root, file));
      },
    },
    groups: [
      { name: 'base', priority: 3, test: (id) => reached.base.has(id) },
      { name: 'small', priority: 2, test: (id) => reached.service.has(id) && reached.small.has(id) },
      { name: 'service', priority: 1, test: (id) => reached.service.has(id) },
    ],
  };
}
