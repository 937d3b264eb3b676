import { expect, it } from 'vitest';

import { isLoopback, normaliseAddress, toClientNetwork, toWideNetwork } from './client-network.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['::ffff:0:ff', '0.0.0.255'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:0db8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['', ''],
])('counts %s as %s', (address, network) => {
  expect(toClientNetwork(address)).toBe(network);
});

it('puts two spellings of one /64 together and two /64 apart', () => {
  expect(toClientNetwork('2001:DB8:0:1::a')).toBe(toClientNetwork('2001:db8:0:1:9::b'));
  expect(toClientNetwork('2001:db8:0:1::a')).not.toBe(toClientNetwork('2001:db8:0:2::a'));
});

it('leaves what is no mapped address alone', () => {
  expect(normaliseAddress('::ffff:999.0.2.1')).toBe('::ffff:999.0.2.1');
  expect(normaliseAddress('2001:db8::1')).toBe('2001:db8::1');
});

it.each([
  ['192.0.2.1', '192.0.2.0/24'],
  ['::ffff:192.0.2.200', '192.0.2.0/24'],
  ['2001:db8:7:8::', '2001:db8:7::/48'],
  ['2001:db8:7:8::/64', '2001:db8:7::/48'],
  ['2001:DB8::1:2:3', '2001:db8:0::/48'],
  ['', ''],
])('puts %s into %s with its neighbours', (address, network) => {
  expect(toWideNetwork(address)).toBe(network);
});

it.each([
  ['127.0.0.1', true],
  ['127.9.8.7', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['::2', false],
  ['127.0.0.1.test', false],
  ['', false],
])('says of %s that it is of the machine itself: %s', (address, isOwn) => {
  expect(isLoopback(address)).toBe(isOwn);
});
