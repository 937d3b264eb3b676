// The site made of docs/: `npm run docs:site`. The index docs/README.md is the front page and, read as data, the sidebar.
// Nothing is fetched from other hosts: search is local, and there are no analytics.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

/** A copy of docs/, made by build.mjs, in which each README.md is an index.md. */
const pages = fileURLToPath(new URL('../pages', import.meta.url));
const repository = 'https://github.com/mayfly-mail/mayfly/blob/main/';

export default defineConfig({
  // Where it is served: a project's site on GitHub has a folder.
  base: process.env['SITE_BASE'] ?? '/',
  srcDir: 'pages',
  outDir: '../build/site',
  cacheDir: '../build/site-cache',
  title: 'Mayfly',
  description: 'A self-hosted temporary e-mail service',
  lang: 'en',
  lastUpdated: false,
  markdown: { config: (renderer) => renderer.core.ruler.push('links', pointLinks) },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      ...readIndex(),
      listFolder('Clients', 'clients'),
      listFolder('Dialects', 'compat'),
      listFolder('Decisions', 'adr'),
    ],
  },
});

/** The groups of docs/README.md: each heading with the pages of its table. */
function readIndex() {
  const groups = readFileSync(path.join(pages, 'index.md'), 'utf8').split(/^## /m).slice(1);
  return groups.map((group) => ({
    text: group.slice(0, group.indexOf('\n')),
    items: Array.from(group.matchAll(/^\| \[[^\]]*\]\(([\w/-]+\.md)\)/gm), ([, page = '']) => toItem(page)),
  }));
}

/** @param {string} text @param {string} folder */
function listFolder(text, folder) {
  const found = readdirSync(path.join(pages, folder)).filter((page) => page !== 'index.md');
  return {
    text,
    link: `/${folder}/`,
    collapsed: true,
    items: found.map((page) => toItem(`${folder}/${page}`)),
  };
}

/** @param {string} page */
function toItem(page) {
  const file = page.replace('README.md', 'index.md');
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(path.join(pages, file), 'utf8')) ?? [];
  return { text: title.replaceAll('`', ''), link: `/${file.replace(/(index)?\.md$/, '')}` };
}

/**
 * Points links that leave docs/ at the repository. VitePress refuses those that lead nowhere within docs/.
 * @param {{ tokens: { children: Token[] | null }[], env: { path: string } }} state
 * @typedef {{ attrGet(name: string): string | null, attrSet(name: string, value: string): void }} Token
 */
function pointLinks({ tokens, env }) {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const href = token.attrGet('href');
    if (href === null || /^([a-z]+:|#)/i.test(href)) continue;
    const target = path.join('docs', path.dirname(path.relative(pages, env.path)), href);
    if (!target.startsWith(`docs${path.sep}`)) token.attrSet('href', repository + target);
    else token.attrSet('href', href.replace('README.md', 'index.md'));
  }
}
