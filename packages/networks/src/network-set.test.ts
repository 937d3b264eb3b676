import { describe, expect, it } from 'vitest';

import { createNetworkSet, doBlocksOverlap, normaliseBlock } from './network-set.ts';
import { cpuMsOf } from '../../../test/support/cpu-time.ts';

describe('a set of networks', () => {
  const set = createNetworkSet([
    '192.0.2.0/24',
    '198.51.100.7',
    '2001:db8::/32',
    '2001:dead::1',
    '10.0.0.0/8',
  ]);

  it.each([
    '192.0.2.0',
    '192.0.2.255',
    '198.51.100.7',
    '::ffff:192.0.2.9',
    '2001:DB8:1::9',
    '2001:dead:0::1',
    '10.255.0.1',
  ])('has %s', (address) => {
    expect(set.has(address)).toBe(true);
  });

  it.each([
    '192.0.3.0',
    '198.51.100.8',
    '2001:db9::',
    '2001:dead::2',
    '11.0.0.0',
    '',
    'x',
    '192.0.2',
    'fe80::1%eth0',
  ])('has not %s', (address) => {
    expect(set.has(address)).toBe(false);
  });

  it('contains nothing when empty, and everything when it is the whole space', () => {
    expect(createNetworkSet([]).has('192.0.2.1')).toBe(false);
    const all = createNetworkSet(['0.0.0.0/0', '::/0']);
    expect([all.has('192.0.2.1'), all.has('2001:db8::'), all.has('x')]).toEqual([true, true, false]);
  });

  it('is asked as fast with a hundred thousand as with ten', () => {
    const many = createNetworkSet(
      Array.from({ length: 100_000 }, (_, at) => `20.${at >> 16}.${(at >> 8) & 255}.${at & 255}`),
    );
    const ask = (): void => {
      for (let at = 0; at < 10_000; at++) expect(many.has('192.0.2.1')).toBe(false);
    };
    expect(cpuMsOf(ask)).toBeLessThan(2000);
  });
});

it.each([
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['192.0.2.77', '192.0.2.77/32'],
  ['::ffff:192.0.2.77', '192.0.2.77/32'],
  [' 10.1.2.3/0 ', '0.0.0.0/0'],
  ['2001:DB8:0:0:1::5/48', '2001:db8::/48'],
  ['2001:db8::1', '2001:db8::1/128'],
  ['::/0', '::/0'],
  ['::1', '::1/128'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3/128'],
  ['64:ff9b::192.0.2.1/96', '64:ff9b::/96'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128'],
])('writes %s as %s', (text, block) => {
  expect(normaliseBlock(text)).toBe(block);
  expect(normaliseBlock(block)).toBe(block);
});

it.each(['', 'x', '192.0.2.1/33', '::/129', '192.0.2/24', '1.2.3.4/', '1.2.3.4/24/8', 'fe80::1%eth0'])(
  'takes %j for no block',
  (text) => {
    expect(normaliseBlock(text)).toBeUndefined();
  },
);

it.each([
  ['192.0.2.0/24', '192.0.2.7', true],
  ['192.0.2.7', '192.0.2.0/24', true],
  ['192.0.2.0/24', '192.0.0.0/16', true],
  ['192.0.2.0/24', '192.0.3.0/24', false],
  ['2001:db8::/32', '2001:db8:1::/48', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['0.0.0.0/0', '::/0', false],
  ['192.0.2.7', 'x', false],
  ['*', '192.0.2.7', false],
])('%s and %s overlap: %s', (one, other, expected) => {
  expect(doBlocksOverlap(one, other)).toBe(expected);
});
