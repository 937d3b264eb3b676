import { describe, expect, it } from 'vitest';

import { createRandom, fuzzSeed } from '../../../test/support/random.ts';
import { parseProxyHeader } from './proxy-header.ts';

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const v4 = Buffer.from([192, 0, 2, 7, 198, 51, 100, 9, 0x30, 0x39, 0, 25]);
const v6 = Buffer.from(`20010db8000000010000000000000007${'0'.repeat(31)}130390019`, 'hex');

/** Version and command, then family and transport. */
function v2(
  [command, family]: [number, number],
  addresses: Buffer,
  declaredBytes = addresses.length,
): Buffer {
  const fixed = Buffer.of(command, family, declaredBytes >> 8, declaredBytes & 255);
  return Buffer.concat([signature, fixed, addresses]);
}

function parseText(text: string) {
  return parseProxyHeader(Buffer.from(text, 'latin1'));
}

describe('version 1', () => {
  it.each([
    ['PROXY TCP4 192.0.2.7 198.51.100.9 12345 25', '192.0.2.7'],
    ['PROXY TCP4 255.255.255.255 0.0.0.0 65535 0', '255.255.255.255'],
    ['PROXY TCP6 2001:db8::7 ::1 12345 25', '2001:db8::7'],
    ['PROXY TCP6 ::ffff:192.0.2.7 ::1 12345 25', '::ffff:192.0.2.7'],
    ['PROXY UNKNOWN', undefined],
    ['PROXY UNKNOWN 192.0.2.7 198.51.100.9 12345 25', undefined],
    ['PROXY UNKNOWN whatever stands here', undefined],
  ])('%s is read', (line, sourceAddress) => {
    const bytes = line.length + 2;
    expect(parseText(`${line}\r\n`)).toEqual({ state: 'complete', bytes, sourceAddress });
    expect(parseText(`${line}\r\nEHLO client.test\r\n`)).toEqual({ state: 'complete', bytes, sourceAddress });
  });

  it.each([
    'PROXY TCP4 192.0.2.7 198.51.100.9 12345 25 more',
    'PROXY TCP4 192.0.2.7 198.51.100.9 12345',
    'PROXY TCP4 192.0.2.7 198.51.100.9',
    'PROXY TCP4 192.0.2.7',
    'PROXY TCP4',
    'PROXY ',
    'PROXY  TCP4 192.0.2.7 198.51.100.9 12345 25',
    'PROXY TCP4  192.0.2.7 198.51.100.9 12345 25',
    'PROXY TCP4 2001:db8::7 ::1 12345 25',
    'PROXY TCP6 192.0.2.7 198.51.100.9 12345 25',
    'PROXY TCP6 fe80::1%eth0 ::1 12345 25',
    'PROXY TCP4 192.0.2.256 198.51.100.9 12345 25',
    'PROXY TCP4 192.0.2.7 example.org 12345 25',
    'PROXY TCP4 192.0.2.7 198.51.100.9 65536 25',
    'PROXY TCP4 192.0.2.7 198.51.100.9 -1 25',
    'PROXY TCP4 192.0.2.7 198.51.100.9 12345 x',
    'PROXY TCP4 192.0.2.7 198.51.100.9 12345 25\n',
    'PROXY UDP4 192.0.2.7 198.51.100.9 12345 25',
    'PROXY UNKNOWNS',
    'proxy TCP4 192.0.2.7 198.51.100.9 12345 25',
    'EHLO client.test',
    ' PROXY UNKNOWN',
  ])('"%s" is none', (line) => {
    expect(parseText(`${line}\r\n`)).toEqual({ state: 'invalid' });
  });

  it('is partial at every length until its line end has come', () => {
    const line = 'PROXY TCP4 192.0.2.7 198.51.100.9 12345 25\r\n';
    for (let length = 0; length < line.length; length++) {
      expect(parseText(line.slice(0, length))).toEqual({ state: 'partial' });
    }
  });

  it('that ends in a bare LF is none, without waiting for more', () => {
    expect(parseText('PROXY TCP4 192.0.2.7 198.51.100.9 12345 25\n')).toEqual({ state: 'invalid' });
    expect(parseText('PROXY TCP4 192.0.2.7 198.51.100.9 12345 25\nEHLO a')).toEqual({ state: 'invalid' });
  });

  it('has 107 bytes at most, its line end among them', () => {
    const of = (bytes: number): string => `PROXY UNKNOWN ${'x'.repeat(bytes - 16)}\r\n`;
    expect(parseText(of(107))).toEqual({ state: 'complete', bytes: 107, sourceAddress: undefined });
    expect(parseText(of(108))).toEqual({ state: 'invalid' });
    expect(parseText(`PROXY ${'x'.repeat(100)}`)).toEqual({ state: 'partial' });
    expect(parseText(`PROXY ${'x'.repeat(101)}`)).toEqual({ state: 'invalid' });
  });
});

describe('version 2', () => {
  it.each<[string, Buffer, string | undefined]>([
    ['TCP over IPv4', v2([0x21, 0x11], v4), '192.0.2.7'],
    ['TCP over IPv6', v2([0x21, 0x21], v6), '2001:db8:0:1::7'],
    [
      'IPv4 with extensions',
      v2([0x21, 0x11], Buffer.concat([v4, Buffer.from('0300040a0b0c0d', 'hex')])),
      '192.0.2.7',
    ],
    [
      'a mapped IPv4',
      v2(
        [0x21, 0x21],
        Buffer.concat([Buffer.from('00000000000000000000ffffc0000207', 'hex'), v6.subarray(16)]),
      ),
      '::ffff:c000:207',
    ],
    ['LOCAL, nothing else', v2([0x20, 0x00], Buffer.alloc(0)), undefined],
    ['LOCAL with addresses that do not count', v2([0x20, 0x11], v4), undefined],
    ['LOCAL of a family nobody knows', v2([0x20, 0x99], Buffer.alloc(0)), undefined],
    ['an unspecified family', v2([0x21, 0x00], Buffer.alloc(0)), undefined],
    ['a UNIX socket', v2([0x21, 0x31], Buffer.alloc(216)), undefined],
    ['datagrams', v2([0x21, 0x12], v4), undefined],
    ['as much as is read', v2([0x21, 0x11], Buffer.concat([v4, Buffer.alloc(2020)])), '192.0.2.7'],
  ])('%s is read, and what follows is left', (_, header, sourceAddress) => {
    const expected = { state: 'complete', bytes: header.length, sourceAddress };
    expect(parseProxyHeader(header)).toEqual(expected);
    expect(parseProxyHeader(Buffer.concat([header, Buffer.from('EHLO x\r\n')]))).toEqual(expected);
    for (let length = 0; length < header.length; length++) {
      expect(parseProxyHeader(header.subarray(0, length))).toEqual({ state: 'partial' });
    }
  });

  it.each<[string, Buffer]>([
    ['version 1 in its place', v2([0x11, 0x11], v4)],
    ['version 3', v2([0x31, 0x11], v4)],
    ['a command nobody knows', v2([0x22, 0x11], v4)],
    ['a family nobody knows', v2([0x21, 0x41], v4)],
    ['a transport nobody knows', v2([0x21, 0x13], v4)],
    ['IPv4 that is cut short', v2([0x21, 0x11], v4.subarray(0, 11))],
    ['IPv6 that is cut short', v2([0x21, 0x21], v6.subarray(0, 35))],
    ['more than is read', v2([0x21, 0x11], v4, 2033)],
    ['64 KiB', v2([0x20, 0x00], Buffer.alloc(0), 65_535)],
    [
      'a signature with one byte wrong',
      Buffer.concat([signature.subarray(0, 11), Buffer.from('x'), Buffer.alloc(30)]),
    ],
  ])('%s is none', (_, header) => {
    expect(parseProxyHeader(header)).toEqual({ state: 'invalid' });
  });
});

const seed = fuzzSeed();

it(`never throws and never takes more than came (FUZZ_SEED=${seed})`, () => {
  const random = createRandom(seed);
  const starts = [
    Buffer.alloc(0),
    Buffer.from('PROXY '),
    Buffer.from('PROXY TCP6 '),
    signature,
    v2([0x21, 0x11], v4),
    v2([0x21, 0x21], v6),
  ];
  for (let round = 0; round < 50_000; round++) {
    const input = Buffer.concat([random.pick(starts), random.bytes(random.below(60))]);
    if (input.length > 0 && random.below(2) === 0) input[random.below(input.length)] = random.below(256);
    const header = parseProxyHeader(input);
    if (header.state === 'complete') expect(header.bytes).toBeLessThanOrEqual(input.length);
  }
});
