// Which labels are known, and the text of bytes in the others.
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
    ['8141c7d1', 'cp949', '갂한'],
    ['8c63b9e6b0a2c7cf', 'ks_c_5601-1987', '똠방각하'],
    ['8c63b9e6b0a2c7cf', 'KS_C_5601', '똠방각하'],
    ['8c63b9e6b0a2c7cf', 'EUC-KR', '똠방각하'],
    ['8c63b9e6b0a2c7cf', 'x-windows-949', '똠방각하'],
    ['8743fa40a4a4', 'Big5-HKSCS', '䖦𠕇中'],
    ['fa40', 'big5hkscs', '𠕇'],
    ['fa40', 'big5', '𠕇'],
    ['80819b', 'cp437', 'Çü¢'],
    ['819bd5', 'IBM850', 'üøı'],
    ['a5b9', 'cp852', 'ą╣'],
    ['8da7', 'CP857', 'ığ'],
    ['80', 'ibm866', 'А'],
    ['d5', 'cp858', '€'],
    ['8081', 'dos-737', 'ΑΒ'],
    ['a4aadebaf0fe', 'iso-8859-16', '€ȘȚșđț'],
    ['aaba', 'ISO_8859-16', 'Șș'],
    ['aaba', 'iso8859-16', 'Șș'],
    ['aaba', 'latin10', 'Șș'],
    ['ca', 'windows-1255', 'ֺ'],
    ['c3a9', 'us-ascii', 'é'],
    ['c3a9', "'utf-8'", 'é'],
    ['c3a9', '"utf-8', 'é'],
    ['c3a9', 'utf-8,', 'é'],
    ['1b24423d693b7a1b2842', 'us-ascii', '初字'],
    ['e9', '', 'é'],
  ])('reads %s in %s', (hex, label, text) => {
    expect(decode(hex, label)).toEqual({ text, known: true });
  });

  it('takes undeclared bytes for UTF-8 if they are valid, else for windows-1252', () => {
    expect(decode('c3a9', null).text).toBe('é');
    expect(decode('e980', null).text).toBe('é€');
  });

  it.each([
    'iso-8859-1',
    'windows-1251',
    'koi8-r',
    'gb2312',
    'shift_jis',
    'euc-kr',
    'iso-2022-jp',
    'cp437',
    'utf-16',
  ])('reads UTF-8 that is declared as %s', (label) => {
    const text = 'Grüße, Ваш код: 482913, 您的验证码\r\n';
    expect(decodeCharset(Buffer.from(text), label)).toEqual({ text, known: true });
    // A glance may end within a character.
    expect(decodeCharset(Buffer.from(`${text}您`).subarray(0, -1), label).text).toContain('Ваш код: 482913');
  });

  it.each([
    ['gbk', 'c4a3', '模'],
    ['windows-874', 'e0a2b5', 'เขต'],
    ['windows-1251', 'c2bf', 'Вї'],
    ['utf-16be', '4f60597d', '你好'],
    ['windows-1252', 'c3', 'Ã'],
    ['utf-16le', '60200a00', '\u2060\n'],
  ])('believes the declaration of %s for text that might be UTF-8', (label, hex, text) => {
    expect(decode(hex, label).text).toBe(text);
  });

  it('reads text declared as UTF-8 without a single UTF-8 character as windows-1252', () => {
    expect(decode('4772fcdf65', 'utf-8').text).toBe('Grüße');
    expect(decode('4772c3bcdf65', 'utf-8').text).toBe('Grü\ufffde');
  });

  it('M9: falls back and reports it for unknown, hostile and forbidden labels', () => {
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
