import { expect, it } from 'vitest';

import { findFalseUsers } from './opening-lines.mjs';

const shown = '// Shows a list.\nexport const a = 1;\n';
const find = (opening: string, user: string, app = ''): readonly string[] =>
  findFalseUsers(
    new Map([
      ['src/show-list.ts', `${opening}\n${shown}`],
      ['src/other/read-list.ts', user],
      ['src/app.ts', app],
      ['src/lists.ts', ''],
    ]),
  );

it.each([
  ['// Used by read-list.', "import { a } from '../show-list.ts';"],
  ['// Made once per list by read-list.ts.', "const { a } = await import('../show-list.ts');"],
  ['// Used by read-list.', "start('show-list.mjs');"],
  ['// Used by anyone-else and by hand.', ''],
  ['// Shows what was made.', ''],
  ['// Used by lists and by apps.', ''],
])('believes %s of a file with %s', (opening, user) => {
  expect(find(opening, user)).toEqual([]);
});

it('believes a name of one word of a file that imports an entry', () => {
  expect(find('// Used by app.', '', "import { a } from '#lists/show-list';")).toEqual([]);
});

it.each([
  ['// Used by read-list.', '// show-list.ts\n', 'read-list'],
  [
    '// Lists are drawn.\n// Called by read-list and by hand.',
    "import { b } from './show-lists.ts';",
    'read-list',
  ],
  ['// Started and stopped by app.ts.', "import { a } from '../show-list.ts';", 'app'],
  ['// Lists are drawn. Made by app; replaceable.', '', 'app'],
])('finds %s false of a file with %s', (opening, user, name) => {
  expect(find(opening, user)).toEqual([
    `src/show-list.ts: says that it is used by ${name}, which does not import it`,
  ]);
});
