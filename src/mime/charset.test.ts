// Which labels are known, and what becomes of bytes in the others.
import { describe, expect, it } from 'vitest';
import { decodeCharset } from './charset.ts';

const decode = (hex: string, label: string | null) => decodeCharset(Buffer.from(hex, 'hex'), label);

describe('decodeCharset', () => {
  it.each([
    ['80', 'windows-1252', '€'],
    ['80', 'ISO-8859-1', '€'],
    ['93fa', 'CP932', '日'],
    ['b0a1', 'cp949', '가'],
    ['a4a4', 'cp950', '中'],
    ['d6d0', 'GB2312', '中'],
    ['cfa8', 'x-cp1251', 'ПЁ'],
    ['cf', 'win-1251', 'П'],
    ['cf', 'cp-1251', 'П'],
    ['cf', 'iso8859_5', 'Я'],
    ['e0', 'iso_8859-8-i', 'א'],
    ['feff0041', 'utf-16', 'A'],
    ['fffe4100', 'utf16', 'A'],
    ['00410042', 'utf-16', 'AB'],
    ['41004200', 'utf-16', 'AB'],
    ['efbbbf41', 'utf8', 'A'],
    ['c3a9', 'us-ascii', 'é'],
    ['e9', '', 'é'],
  ])('reads %s in %s', (hex, label, text) => {
    expect(decode(hex, label)).toEqual({ text, known: true });
  });

  it('takes undeclared bytes as UTF-8 where they are, else as windows-1252', () => {
    expect(decode('c3a9', null).text).toBe('é');
    expect(decode('e980', null).text).toBe('é€');
  });

  it('M9: falls back and says so for unknown, hostile and forbidden labels', () => {
    for (const label of [
      'utf-7',
      'unicode-1-1-utf-7',
      'x'.repeat(65_536),
      'replacement',
      'constructor',
      '__proto__',
    ]) {
      expect(decode('2b4144772de9', label)).toEqual({ text: '+ADw-é', known: false });
    }
  });

  it('M9: reads UTF-16 of odd length', () => {
    expect(decode('004100', 'utf-16be')).toEqual({ text: 'A\ufffd', known: true });
  });

  it('survives a thousand labels', () => {
    for (let i = 0; i < 1_000; i++) expect(decode('41', `label-${i}`).text).toBe('A');
  });
});
