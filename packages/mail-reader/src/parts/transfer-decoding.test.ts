// Content transfer encodings, clean and damaged.
import { describe, expect, it } from 'vitest';
import { decodeTransfer, measureTransfer } from './transfer-decoding.ts';

const decode = (body: string, encoding: string): string =>
  decodeTransfer(Buffer.from(body, 'latin1'), encoding).bytes.toString('latin1');

describe('decodeTransfer', () => {
  it.each([
    ['SGVsbG8=', 'Hello'],
    ['SGVs\r\nbG8=\r\n', 'Hello'],
    ['SGVsbG8', 'Hello'],
    ['SGVsbG8h', 'Hello!'],
    ['SGVs*bG8=', 'Hello'],
    ['SGk=SGk=', 'HiHi'],
    ['S', ''],
    ['====', ''],
  ])('decodes base64 %j', (body, text) => {
    expect(decode(body, 'base64')).toBe(text);
    expect(measureTransfer(Buffer.from(body), 'base64')).toBe(text.length);
  });

  it('decodes what Buffer encodes, and measures it without decoding', () => {
    for (let length = 0; length < 100; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 37 + length) & 255));
      const body = Buffer.from(bytes.toString('base64').replace(/.{20}/g, '$&\r\n'));
      expect(decodeTransfer(body, 'base64')).toEqual({ bytes, clean: true });
      expect(measureTransfer(body, 'base64')).toBe(length);
    }
  });

  it.each([
    ['a=20b=E4', 'a b\xe4'],
    ['soft=\r\nbreak', 'softbreak'],
    ['soft=  \r\nbreak', 'softbreak'],
    ['soft=\nbreak=', 'softbreak'],
    ['trailing  \t\r\nwhite ', 'trailing\r\nwhite'],
    ['kept=20 \r\n', 'kept \r\n'],
    ['low=e4er', 'low\xe4er'],
    ['bad =XX =4', 'bad =XX =4'],
  ])('decodes quoted-printable %j', (body, text) => {
    expect(decode(body, 'quoted-printable')).toBe(text);
  });

  it('M6: reports that an encoding was damaged or unknown', () => {
    expect(decodeTransfer(Buffer.from('a*b'), 'base64').clean).toBe(false);
    expect(decodeTransfer(Buffer.from('From abc'), 'base64').clean).toBe(false);
    expect(decodeTransfer(Buffer.from('YWJjZ'), 'base64').clean).toBe(false);
    expect(decodeTransfer(Buffer.from(' YWJj \t\nYWJj\n\tYWJj'), 'base64').clean).toBe(true);
    expect(decodeTransfer(Buffer.from('=XX'), 'quoted-printable').clean).toBe(false);
    expect(decodeTransfer(Buffer.from('begin 644 x'), 'x-uuencode')).toMatchObject({ clean: false });
    expect(decode('begin 644 x', 'x-uuencode')).toBe('begin 644 x');
  });
});
