import { expect, it } from 'vitest';

import { clients, formatPage, readPage, renewRows } from './scenario-page.mjs';

const titles = ['life: end, and end again', 'waiting: a code'];
const page = formatPage(titles, (client) => (client === 'Go' ? '–' : 'passes'));

it('has a row for each scenario and a column for each client, and is read as it was written', () => {
  const cells = readPage(page);
  expect([...cells.keys()]).toEqual(titles);
  expect(cells.get('waiting: a code')).toEqual({
    ...Object.fromEntries(clients.map((client) => [client, 'passes'])),
    Go: '–',
  });
  expect(page).toMatch(/^\| passed of 2 +\| 2 +\| 2 +\| 2 +\| 0 +\|$/m);
});

it('stays as it is while its rows are the scenarios', () => {
  expect(renewRows(page, titles)).toBe(page);
});

it.each([
  ['a new scenario', page, [...titles, 'waiting: a link']],
  ['a scenario that is gone', page, titles.slice(1)],
  ['another order', page, titles.toReversed()],
  ['a cell by hand', page.replace('passes', 'does   '), titles],
  ['a sum by hand', page.replace('passed of 2', 'passed of 3'), titles],
  ['an unknown outcome', formatPage(titles, () => 'FAILS').replace('FAILS', 'fails'), titles],
])('differs from what it should be after %s', (_, text, wanted) => {
  expect(renewRows(text, wanted)).not.toBe(text);
});
