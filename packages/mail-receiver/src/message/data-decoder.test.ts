import { describe, expect, it } from 'vitest';

import { createRandom, cutRandomly } from '../../../../test/support/random.ts';
import { DataDecoder } from './data-decoder.ts';

interface Decoded {
  readonly text: string;
  /** Bytes after the end of data; undefined when the end did not come. */
  readonly rest: string | undefined;
  readonly hasBareLineEnd: boolean;
}

function decodePieces(pieces: readonly Buffer[]): Decoded {
  const decoder = new DataDecoder();
  let text = '';
  for (const [index, piece] of pieces.entries()) {
    const given = Buffer.from(piece);
    const { kept, endAt } = decoder.push(given, 0);
    text += kept.toString('latin1');
    if (endAt < 0) continue;
    const rest = Buffer.concat([given.subarray(endAt), ...pieces.slice(index + 1)]).toString('latin1');
    return { text, rest, hasBareLineEnd: decoder.hasBareLineEnd };
  }
  return { text, rest: undefined, hasBareLineEnd: decoder.hasBareLineEnd };
}

function decode(text: string): Decoded {
  return decodePieces([Buffer.from(text, 'latin1')]);
}

/** The same bytes in one piece, one by one, and cut in two at every place. */
function everySplit(text: string): Buffer[][] {
  const bytes = Buffer.from(text, 'latin1');
  const inTwo = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [[bytes], Array.from(bytes, (byte) => Buffer.of(byte)), ...inTwo];
}

/** The standard's definition, without regard to speed: RFC 5321 §4.1.1.4 and §4.5.2. */
function decodeBySpecification(text: string): Decoded {
  const lines = `\r\n${text}`;
  const end = lines.indexOf('\r\n.\r\n');
  const stuffed = end < 0 ? lines : lines.slice(0, end + 2);
  return {
    text: stuffed.replaceAll('\r\n.', '\r\n').slice(2),
    rest: end < 0 ? undefined : lines.slice(end + 5),
    hasBareLineEnd: /\r(?!\n)|(?<!\r)\n/.test(stuffed),
  };
}

function stuff(body: string): string {
  return `${`\r\n${body}`.replaceAll('\r\n.', '\r\n..').slice(2)}.\r\n`;
}

describe('end of data', () => {
  it.each([
    ['a body', 'a\r\nb\r\n.\r\n', 'a\r\nb\r\n'],
    ['an empty body', '.\r\n', ''],
    ['an empty line', '\r\n.\r\n', '\r\n'],
    ['a line of one dot', '..\r\n.\r\n', '.\r\n'],
    ['a line of two dots', '...\r\n.\r\n', '..\r\n'],
    ['a dot before text', '..text\r\n.\r\n', '.text\r\n'],
    ['a dot that was not doubled', '.text\r\n.\r\n', 'text\r\n'],
    ['dots inside a line', 'a.b..\r\n.\r\n', 'a.b..\r\n'],
    ['eight-bit bytes', '\xff\x80\0\t\r\n.\r\n', '\xff\x80\0\t\r\n'],
  ])('is found after %s, however the bytes are split', (_, sent, text) => {
    for (const pieces of everySplit(`${sent}QUIT\r\n`)) {
      expect(decodePieces(pieces)).toEqual({ text, rest: 'QUIT\r\n', hasBareLineEnd: false });
    }
  });

  it('has not come while its last byte is missing', () => {
    expect(decode('a\r\n.\r').rest).toBeUndefined();
    expect(decode('a\r\n.').rest).toBeUndefined();
    expect(decode('a\r\n').rest).toBeUndefined();
    expect(decode('').rest).toBeUndefined();
  });

  it('counts from the index it is given', () => {
    const input = Buffer.from('DATA\r\nbody\r\n.\r\nQUIT\r\n');
    const { kept, endAt } = new DataDecoder().push(input, 6);
    expect(kept.toString()).toBe('body\r\n');
    expect(input.subarray(endAt).toString()).toBe('QUIT\r\n');
  });
});

// CVE-2023-51764 (Postfix), CVE-2023-51765 (sendmail), CVE-2023-51766 (Exim), CVE-2023-51747 (James), CVE-2024-27305
// (aiosmtpd): a server that takes one of these for the end lets a second message be smuggled in.
describe('false ends of data', () => {
  const smuggled = 'MAIL FROM:<evil@a.test>\r\nRCPT TO:<b@c.test>\r\nDATA\r\nsmuggled\r\n.\r\n';
  const bare = [
    '\n.\n',
    '\n.\r',
    '\r.\n',
    '\r.\r',
    '\n.\r\n',
    '\r.\r\n',
    '\r\n.\n',
    '\r\n.\r',
    '\r\n.\r\r\n',
    '\r\r\n.\r\r\n',
  ];
  const withNul = ['\r\n\0.\r\n', '\r\n.\0\r\n'];

  it.each(bare.map((end) => [JSON.stringify(end), end]))('%s ends nothing and is noted', (_, end) => {
    for (const pieces of everySplit(`first${end}${smuggled}`)) {
      const { rest, hasBareLineEnd } = decodePieces(pieces);
      expect({ rest, hasBareLineEnd }).toEqual({ rest: '', hasBareLineEnd: true });
    }
  });

  it.each(withNul.map((end) => [JSON.stringify(end), end]))('%s ends nothing', (_, end) => {
    for (const pieces of everySplit(`first${end}${smuggled}`)) {
      const { rest, text, hasBareLineEnd } = decodePieces(pieces);
      expect({ rest, hasBareLineEnd }).toEqual({ rest: '', hasBareLineEnd: false });
      expect(text).toMatch(/^first[^]*smuggled\r\n$/);
    }
  });

  it('a stray CR before a true end is noted, and the end found', () => {
    for (const pieces of everySplit('a\r\r\n.\r\nQUIT\r\n')) {
      expect(decodePieces(pieces)).toMatchObject({ rest: 'QUIT\r\n', hasBareLineEnd: true });
    }
  });
});

describe('dot-unstuffing', () => {
  const tokens = ['\r\n', '\r\n.', '.', '..', 'a', 'text', '\xe9', '\0', ' ', '\r\n\r\n'];

  it('undoes stuffing exactly once for random bodies and splits (seed 5321)', () => {
    const random = createRandom(5321);
    for (let round = 0; round < 2000; round++) {
      const body = `${Array.from({ length: random.below(30) }, () => random.pick(tokens)).join('')}\r\n`;
      const pieces = cutRandomly(Buffer.from(stuff(body), 'latin1'), random, 1 + random.below(12));
      expect(decodePieces(pieces)).toEqual({ text: body, rest: '', hasBareLineEnd: false });
    }
  });

  it('agrees with the specification on random bytes of dots and line ends (seed 452)', () => {
    const random = createRandom(452);
    let ended = 0;
    for (let round = 0; round < 5000; round++) {
      const choices = random.below(2) === 0 ? ['\r', '\n', '.', 'a'] : ['\r\n', '.', 'a', '.\r\n'];
      const sent = Array.from({ length: 1 + random.below(14) }, () => random.pick(choices)).join('');
      const decoded = decodePieces(cutRandomly(Buffer.from(sent, 'latin1'), random, 4));
      const expected = decodeBySpecification(sent);
      expect(decoded.rest).toBe(expected.rest);
      if (decoded.rest === undefined) continue;
      ended += 1;
      expect(decoded.hasBareLineEnd).toBe(expected.hasBareLineEnd);
      if (!decoded.hasBareLineEnd) expect(decoded.text).toBe(expected.text);
    }
    expect(ended).toBeGreaterThan(1000);
  });

  // Text is passed over by words of four bytes: where a line and the input begin and end in them must not matter.
  it('agrees with the specification wherever the bytes lie in memory (seed 32)', () => {
    const random = createRandom(32);
    const letters = ['a', ' ', '\t', '\x0b', '\x0e', '\x1f', '\x80', '\x8d', '\xff', '.'];
    const ends = ['\r\n', '\r\n', '\r\n', '\r\n.', '\r\n..', '\r', '\n', '\r\n\r\n'];
    const line = (): string =>
      random.pick(letters).repeat(random.below(40)) + random.pick(letters) + random.pick(ends);
    for (let round = 0; round < 5000; round++) {
      const sent = `${Array.from({ length: random.below(8) }, line).join('')}\r\n.\r\n`;
      const [offset, from] = [random.below(8), random.below(8)];
      const memory = Buffer.alloc(offset + from + sent.length + random.below(8), '\r\n.');
      const input = memory.subarray(offset, offset + from + sent.length);
      input.write(sent, from, 'latin1');
      const decoder = new DataDecoder();
      const { kept, endAt } = decoder.push(input, from);
      const expected = decodeBySpecification(sent);
      expect(input.subarray(endAt).toString('latin1')).toBe(expected.rest);
      expect(decoder.hasBareLineEnd).toBe(expected.hasBareLineEnd);
      if (!decoder.hasBareLineEnd) expect(kept.toString('latin1')).toBe(expected.text);
    }
  });
});
