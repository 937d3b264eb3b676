// npm's hooks in the packages that are published. `npm pack` would pack the manifest of the sources, so the hook after it
// puts the package as published in its place; `npm publish` is refused, because it would not see that.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pack, tarballName } from './pack.mjs';
import { publishedPackages } from './published-manifest.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const {
  npm_lifecycle_event: event,
  npm_package_name: name,
  npm_config_pack_destination: destination = '.',
  INIT_CWD: from = '',
} = process.env;

if (event === 'prepublishOnly') {
  console.error('The workflow Release publishes the packages, in their published form: see CONTRIBUTING.md.');
  process.exitCode = 1;
} else {
  const given = publishedPackages(root).find(({ manifest }) => manifest.name === name);
  if (given === undefined) throw new Error(`${String(name)} is not a published package.`);
  const folder = path.resolve(from, destination);
  // Not there after a dry run.
  if (existsSync(path.join(folder, tarballName(given.manifest)))) await pack(root, [given], folder);
}
