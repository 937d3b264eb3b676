import { describe, expect, it } from 'vitest';

import { isListed, isPublicAddress, parseBlock, toBlockList } from './public-address.ts';

// Every form in which an address of this machine or its network has been smuggled past such a check.
const refused = {
  'this network': ['0.0.0.0', '0.1.2.3'],
  'private IPv4': [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
  ],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'protocol assignments': [
    '192.0.0.1',
    '192.0.0.170',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.175.48.1',
  ],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255', '4000::1', '::2'],
  unspecified: ['::'],
  mapped: ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
  compat: ['::127.0.0.1', '::8.8.8.8', '::a9fe:a9fe'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::', '2001:0:53aa:64c:0:fffe:f5ff:fffe'],
  ORCHID: ['2001:10::1', '2001:20::1'],
  ISATAP: ['2a00:1450::5efe:10.0.0.1', '2a00:1450::5efe:7f00:1', '2606:4700::200:5efe:192.168.0.1'],
  'unique local': ['fc00::1', 'fd00::1', 'fdff:ffff::1'],
  'site-local': ['fec0::1'],
  'discard and segment routing': ['100::1', '5f00::1'],
  AS112: ['2620:4f:8000::1'],
  'no address': ['', 'localhost', '127.1', '0x7f000001', '2130706433', '127.0.0.1:80', '[::1]', '8.8.8.8 '],
};

describe('isPublicAddress', () => {
  for (const [what, addresses] of Object.entries(refused)) {
    it.each(addresses)(`refuses ${what}: %s`, (address) => {
      expect(isPublicAddress(address)).toBe(false);
    });
  }

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2a00:1450::5eff:10.0.0.1',
  ])('passes %s of the Internet', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('parseBlock', () => {
  it.each([
    ['10.0.0.0/8', { address: '10.0.0.0', prefix: 8, family: 4 }],
    ['127.0.0.1', { address: '127.0.0.1', prefix: 32, family: 4 }],
    ['fd00::/8', { address: 'fd00::', prefix: 8, family: 6 }],
    ['::1', { address: '::1', prefix: 128, family: 6 }],
  ])('reads %s', (text, block) => {
    expect(parseBlock(text)).toEqual(block);
  });

  it.each([
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'app',
    'fe80::1%eth0',
    '',
  ])('is undefined for %j', (text) => {
    expect(parseBlock(text)).toBeUndefined();
  });
});

describe('isListed', () => {
  it('knows addresses of both families in and out of the blocks', () => {
    const list = toBlockList(['10.0.0.0/8', 'fd00::/8']);
    expect(['10.1.2.3', 'fd12::1', '11.0.0.1', 'fe12::1'].map((address) => isListed(list, address))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('throws for what is no block', () => {
    expect(() => toBlockList(['nonsense'])).toThrow('nonsense');
  });
});
