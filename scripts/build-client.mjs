// Builds an npm client into its dist/, or as published into a folder: `node scripts/build-client.mjs NAME [FOLDER]`.
// Emits JavaScript, and a library's declarations, file by file, so that no client has to wait for another's build.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { declare, transpile } from './transpile.mjs';

const clients = fileURLToPath(new URL('../clients/', import.meta.url));

const [name = '', target] = process.argv.slice(2);
const client = path.join(clients, name);
const out = target ?? client;
const manifest = readFileSync(path.join(client, 'package.json'), 'utf8');
const isLibrary = JSON.parse(manifest).exports !== undefined;
if (target !== undefined) {
  mkdirSync(target, { recursive: true });
  for (const file of ['README.md', 'LICENSE']) cpSync(path.join(client, file), path.join(target, file));
  // Without the condition for the sources, which are not published.
  writeFileSync(path.join(target, 'package.json'), manifest.replaceAll(/^ *"mayfly-source": .*\n/gm, ''));
}
rmSync(path.join(out, 'dist'), { recursive: true, force: true });
mkdirSync(path.join(out, 'dist'));
const sources = readdirSync(path.join(client, 'src')).filter((file) => /(?<!\.test)\.ts$/.test(file));
for (const file of sources) {
  const source = readFileSync(path.join(client, 'src', file), 'utf8');
  const base = path.join(out, 'dist', file.replace(/\.ts$/, ''));
  writeFileSync(`${base}.js`, transpile(file, source));
  if (isLibrary) writeFileSync(`${base}.d.ts`, declare(file, source));
}
