// Builds an npm client into its dist/, or as published into a folder: `node scripts/build-client.mjs NAME [FOLDER]`.
// Emits JavaScript, and a library's declarations, file by file, so that no client has to wait for another's build.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { rolldown } from 'rolldown';

import { declare, transpile } from './transpile.mjs';

const clients = fileURLToPath(new URL('../clients/', import.meta.url));

const [name = '', target] = process.argv.slice(2);
const client = path.join(clients, name);
const out = target ?? client;
const manifest = readFileSync(path.join(client, 'package.json'), 'utf8');
/** @type {{ exports?: object, imports?: Record<string, { 'mayfly-source': string }> }} */
const { exports, imports = {} } = JSON.parse(manifest);
const isLibrary = exports !== undefined;
/** Folders of other packages of this repository, linked here, that are part of its dist/: `./networks/*.ts`. */
const linked = Object.values(imports).map(({ 'mayfly-source': files }) => path.basename(path.dirname(files)));
if (target !== undefined) {
  mkdirSync(target, { recursive: true });
  for (const file of ['README.md', 'LICENSE']) cpSync(path.join(client, file), path.join(target, file));
  // Without the condition for the sources, which are not published.
  writeFileSync(path.join(target, 'package.json'), manifest.replaceAll(/^ *"mayfly-source": .*\n/gm, ''));
}
rmSync(path.join(out, 'dist'), { recursive: true, force: true });
emit('src', 'dist');
for (const folder of linked) emit(folder, `dist/${folder}`);
/** Entries that Jest loads as CommonJS: it loads ES modules only where Node.js has a flag. */
const required = Object.entries(exports ?? {})
  .filter(([, conditions]) => 'require' in conditions)
  .map(([entry]) => (entry === '.' ? 'index' : entry.slice(2)));
if (required.length > 0) await emitCommonJs();

async function emitCommonJs() {
  const folder = path.join(out, 'dist/commonjs');
  const input = required.map((entry) => path.join(out, 'dist', `${entry}.js`));
  const bundle = await rolldown({ input, external: /^[^./]/ });
  await bundle.write({ dir: folder, format: 'cjs', chunkFileNames: 'shared-[name].js' });
  await bundle.close();
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  for (const file of readdirSync(path.join(out, 'dist')).filter((one) => one.endsWith('.d.ts'))) {
    cpSync(path.join(out, 'dist', file), path.join(folder, file));
  }
}

/**
 * @param {string} from folder of sources
 * @param {string} to
 */
function emit(from, to) {
  mkdirSync(path.join(out, to));
  const sources = readdirSync(path.join(client, from)).filter((file) => /(?<!\.test)\.ts$/.test(file));
  for (const file of sources) {
    const source = readFileSync(path.join(client, from, file), 'utf8');
    const base = path.join(out, to, file.replace(/\.ts$/, ''));
    writeFileSync(`${base}.js`, transpile(file, source));
    if (isLibrary) writeFileSync(`${base}.d.ts`, declare(file, source));
  }
}
