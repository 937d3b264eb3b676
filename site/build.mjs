// Builds the site of docs/ into build/site: `npm run docs:site`. A link that leads nowhere fails the build. The pages are
// copied here first, since VitePress resolves what it makes of them from their own folder. The package is none of the
// repository's workspaces, which would make `npm ci` 100 MB larger; rollup is held at a version that is there for every
// platform.
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';

const root = fileURLToPath(new URL('.', import.meta.url));
const pages = path.join(root, 'pages');
rmSync(pages, { recursive: true, force: true });
cpSync(path.join(root, '../docs'), pages, { recursive: true });
for (const page of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
  if (path.basename(page) !== 'README.md') continue;
  renameSync(path.join(pages, page), path.join(pages, path.dirname(page), 'index.md'));
}
await build(root);
