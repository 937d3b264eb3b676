import { expect, it } from 'vitest';

import { publishPage } from './published-pages.mjs';

const place = {
  page: 'guide/page.md',
  isPublished: (file: string) => ['guide', 'guide/there.md', 'README.md'].includes(file),
  repository: 'https://github.com/owner/name',
  version: '1.2.3',
};
const at = 'https://github.com/owner/name';

it.each([
  ['[words](../src/main.ts)', `[words](${at}/blob/v1.2.3/src/main.ts)`],
  ['[`code` and words](../src/)', `[\`code\` and words](${at}/blob/v1.2.3/src)`],
  ['[two\nlines](other.md#part)', `[two\nlines](${at}/blob/v1.2.3/guide/other.md#part)`],
  ['![picture](shown.png)', `![picture](${at}/raw/v1.2.3/guide/shown.png)`],
  ['<img src="../web/a.png" alt="" />', `<img src="${at}/raw/v1.2.3/web/a.png" alt="" />`],
  [
    '`x` [a](b.md) `y` [c](d.md)',
    `\`x\` [a](${at}/blob/v1.2.3/guide/b.md) \`y\` [c](${at}/blob/v1.2.3/guide/d.md)`,
  ],
])('leads %j to the tag', (text, published) => {
  expect(publishPage(text, place)).toBe(published);
});

it.each([
  '[there](there.md#part)',
  '[up](../README.md)',
  '[here](#part)',
  '[elsewhere](https://example.org/x)',
  '`[code](not-there.md)`',
  '```md\n[code](not-there.md)\n```',
])('leaves %j', (text) => {
  expect(publishPage(text, place)).toBe(text);
});
