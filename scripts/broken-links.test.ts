import { expect, it } from 'vitest';

import { findBrokenLinks, headingIds, namedPaths } from './broken-links.mjs';

const pages: Record<string, string> = {
  'pages/one.md':
    '# One\n\n[two](two.md#the-second-part), [root](../README.md), [folder](adr/), [here](#one)\n',
  'pages/two.md': '# Two\n\n## The second part\n\n```sh\n# no heading\n```\n',
  'pages/bad.md':
    '# Bad\n\n[gone](gone.md), [heading](two.md#no-heading), [own](#elsewhere), `[code](nowhere.md)`\n\n' +
    '```\n[code](nowhere.md)\n```\n\n[web](https://example.org/x), <img src="gone.png" />\n',
  'README.md': '# Read me\n',
};
const tree = {
  has: (file: string) => file in pages || file === 'pages/adr',
  read: (file: string) => pages[file] ?? '',
};

it('accepts links to files, folders and headings that are there', () => {
  expect(findBrokenLinks('pages/one.md', tree)).toEqual([]);
});

it('names links to missing files and headings, and leaves code and other hosts alone', () => {
  expect(findBrokenLinks('pages/bad.md', tree)).toEqual([
    'pages/bad.md: gone.md is not there',
    'pages/bad.md: two.md#no-heading names a heading that is not there',
    'pages/bad.md: #elsewhere names a heading that is not there',
    'pages/bad.md: gone.png is not there',
  ]);
});

it('gives headings the ids that GitHub gives them', () => {
  expect([
    ...headingIds('# 1. DNS\n## In place of Mailpit’s image\n### `mayfly dev`, [linked](x.md)\n'),
  ]).toEqual(['1-dns', 'in-place-of-mailpits-image', 'mayfly-dev-linked']);
});

it('finds the paths that a guide names, and of a pattern its folder', () => {
  const guide =
    'In `src/a.ts` and `web/b/`, `test/port/NAME.ts`, `docs/*.md`; not `npm run docs`, `smtp/c` or `clients/go/v0.2.0`.';
  expect(namedPaths(guide)).toEqual(['src/a.ts', 'web/b/', 'test/port', 'docs']);
});
