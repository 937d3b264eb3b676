import { expect, it } from 'vitest';

import { formatAddressFile, parseAddressFile } from './address-file.ts';

const token = `mf_${'a'.repeat(43)}`;
const share = `mfs_${'b'.repeat(54)}`;
const own = { token, email: 'fox@mayfly.test', endsAt: 1_800_000_000_000, isShared: false, label: 'Shop' };
const theirs = { token: share, email: 'owl@mayfly.test', endsAt: 1_800_000_000_000, isShared: true };

function file(addresses: unknown, more: object = {}): string {
  return JSON.stringify({ format: 'mayfly-addresses', version: 1, addresses, ...more });
}

it('comes back as it was saved', () => {
  const text = formatAddressFile([own, theirs], 1_700_000_000_000);
  expect(JSON.parse(text)).toMatchObject({ version: 1, saved_at: '2023-11-14T22:13:20.000Z' });
  expect(parseAddressFile(text)).toEqual({
    fault: null,
    entries: [
      { token, email: 'fox@mayfly.test', isShared: false, label: 'Shop' },
      { token: share, email: 'owl@mayfly.test', isShared: true, label: '' },
    ],
  });
});

it.each([
  ['foreign', ''],
  ['foreign', 'nonsense'],
  ['foreign', 'null'],
  ['foreign', '[]'],
  ['foreign', '{"version":1,"addresses":[]}'],
  ['foreign', file(5)],
  ['foreign', file([], { version: '1' })],
  ['newer', file([], { version: 2 })],
  ['many', file(Array.from({ length: 51 }, () => own))],
  ['large', ' '.repeat(200_001)],
])('is %s: %.40s', (fault, text) => {
  expect(parseAddressFile(text)).toEqual({ fault });
});

it('keeps each entry that could be a session, and the place of each that could not', () => {
  const odd = [
    null,
    7,
    'x',
    [],
    { token: 'javascript:alert(1)' },
    { token, email: 5, label: { a: 1 }, shared: 'yes' },
  ];
  expect(parseAddressFile(file(odd))).toEqual({
    fault: null,
    entries: [
      ...Array.from({ length: 5 }, () => ({ token: null })),
      { token, email: '', isShared: false, label: '' },
    ],
  });
});
