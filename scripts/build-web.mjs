// `node scripts/build-web.mjs FOLDER`: bundles the page of web/ into FOLDER, with its service worker and compressed
// copies of the files that shrink, and the operator's page into FOLDER/admin. scripts/build.mjs runs it as a separate
// process, so that the bundler neither stays in memory nor inherits NODE_ENV. It writes nothing outside FOLDER.
import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { pickFirstStyle } from './first-style.mjs';
import { pagePackages } from './page-packages.mjs';

const web = fileURLToPath(new URL('../web', import.meta.url));
const compressible = /\.(?:js|css|html|svg|webmanifest)$/;
/** A compressed copy must be smaller than this share of the file. */
const worth = 0.95;

/**
 * The one way by which the library could read a text as markup sets it as text: here stand the words of strangers beside
 * the operator's key.
 * @type {import('vite').Plugin}
 */
const withoutMarkup = {
  name: 'without-markup',
  transform: {
    filter: { id: /\/node_modules\/preact\// },
    handler: (code) => ({ code: code.replaceAll('.innerHTML', '.textContent'), map: null }),
  },
};

const folder = path.resolve(process.argv[2] ?? '');
if (process.argv[2] === undefined) throw new Error('Name the folder to build into.');
await buildPage();
await completePage();
await buildServiceWorker(await listFiles());
await buildAlone('src/docs/fill-examples.ts', 'docs-examples.js');
await buildAdminPage();
await Promise.all((await listFiles()).map(compress));

/**
 * Builds, and refuses packages whose licenses would not be shipped.
 * @param {import('vite').InlineConfig} config
 */
async function buildListed(config) {
  const built = [await build(config)].flat();
  const modules = built.flatMap((one) =>
    'output' in one ? one.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])) : [],
  );
  const used = modules.flatMap((id) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []);
  const strange = used.find((name) => !pagePackages.includes(name));
  if (strange !== undefined) {
    throw new Error(`The page contains ${strange}: list it in scripts/page-packages.mjs.`);
  }
}

async function buildPage() {
  await buildListed({
    configFile: path.join(web, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true },
  });
}

/**
 * Puts the script that asks for the first address, and the rules by which it shows it, into the page. What the page
 * names otherwise is named by that script, which loads it once the address is asked for.
 */
async function completePage() {
  const page = path.join(folder, 'index.html');
  let text = await readFile(page, 'utf8');
  // Names its files itself: for readers behind a proxy that changes the page, which then may not run its script.
  await writeFile(
    path.join(folder, 'plain.html'),
    text.replace(/<script src="\.\/first-request\.js".*?<\/script>|<p class="late">.*?<\/p>/gs, ''),
  );
  /** @param {RegExp} pattern @param {string} replacement */
  const replace = (pattern, replacement) => {
    const found = pattern.exec(text);
    if (!found) throw new Error(`The page has nothing like ${pattern}.`);
    text = text.replace(found[0], () => replacement);
    return found[1] ?? '';
  };
  const entry = replace(/<script type="module"[^>]* src="([^"]+)"><\/script>/, '');
  const sheet = replace(/<link rel="stylesheet"[^>]* href="([^"]+)">/, '');
  const script = await buildFirstRequest({
    __PAGE_ENTRY__: JSON.stringify(entry),
    __PAGE_SHEET__: JSON.stringify(sheet),
  });
  const style = pickFirstStyle(await readFile(path.join(folder, sheet), 'utf8'));
  if (/<!--|<\/(?:script|style)/i.test(script + style)) throw new Error('A part of the page would end it.');
  replace(/<script src="\.\/first-request\.js"[^>]*><\/script>/, `<script>${script}</script>`);
  replace(/<\/head>/, `<style>${style}</style>\n</head>`);
  await writeFile(page, text.replaceAll(/\n\s*/g, '\n'));
}

/** @param {Record<string, string>} define */
async function buildFirstRequest(define) {
  const name = 'first-request.js';
  await buildAlone('src/first-request.ts', name, define);
  const file = path.join(folder, name);
  const script = await readFile(file, 'utf8');
  await rm(file);
  return script.trim();
}

/**
 * Builds to a name without a hash: browsers find a newer worker by fetching the same address.
 * @param {readonly string[]} files the page's
 */
async function buildServiceWorker(files) {
  const kept = files.filter((file) => file.startsWith('assets/') || file === 'icon.svg');
  await buildAlone('service-worker/service-worker.ts', 'service-worker.js', {
    __PAGE_FILES__: JSON.stringify(kept),
    __PAGE_HASH__: JSON.stringify(await hashFiles(files)),
  });
}

/**
 * Builds a script that shares no file with the page.
 * @param {string} source
 * @param {string} name its name in the folder
 * @param {Record<string, string>} define
 */
async function buildAlone(source, name, define = {}) {
  await buildListed({
    configFile: false,
    root: web,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: { input: path.join(web, source), output: { entryFileNames: name } },
    },
  });
}

/** Builds to names without a hash, for a page that is served as written: its policy allows nothing else. */
async function buildAdminPage() {
  const source = path.join(web, 'admin');
  const out = path.join(folder, 'admin');
  await buildListed({
    configFile: false,
    root: source,
    publicDir: false,
    base: './',
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [withoutMarkup],
    build: {
      outDir: out,
      emptyOutDir: true,
      // The policy lets nothing in that stands in the page itself.
      assetsInlineLimit: 0,
      target: 'es2022',
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: path.join(source, 'main.tsx'),
        output: {
          entryFileNames: 'script.js',
          // One file, and one name for whatever the page has of a kind.
          codeSplitting: false,
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith('.css')) ? 'style.css' : '[name][extname]',
        },
      },
    },
  });
  await copyFile(path.join(source, 'index.html'), path.join(out, 'index.html'));
  await copyFile(path.join(web, 'public', 'favicon.svg'), path.join(out, 'favicon.svg'));
}

/** @returns {Promise<string[]>} relative to the folder, sorted, with forward slashes; without hidden files */
async function listFiles() {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !file.startsWith('.'))
    .sort();
}

/** @param {readonly string[]} files */
async function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(path.join(folder, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} file */
async function compress(file) {
  if (!compressible.test(file)) return;
  const bytes = await readFile(path.join(folder, file));
  const copies = {
    br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    gz: gzipSync(bytes, { level: 9 }),
  };
  for (const [ending, copy] of Object.entries(copies)) {
    if (copy.length < bytes.length * worth) await writeFile(path.join(folder, `${file}.${ending}`), copy);
  }
}
