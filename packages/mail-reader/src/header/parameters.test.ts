// Content-Type and Content-Disposition parameters, RFC 2231 included.
import { describe, expect, it } from 'vitest';
import { parseParameters } from './parameters.ts';

const filename = (field: string): string | undefined =>
  parseParameters(`attachment; ${field}`).parameters.get('filename');

describe('parseParameters', () => {
  it('reads value and parameters in any case, quoted or not, with comments', () => {
    const { value, parameters, ambiguous } = parseParameters(
      'Text/Plain (really) ; CharSet = "utf-8" (Unicode); format=flowed',
    );
    expect(value.trim()).toBe('text/plain');
    expect([...parameters]).toEqual([
      ['charset', 'utf-8'],
      ['format', 'flowed'],
    ]);
    expect(ambiguous).toBe(false);
  });

  it.each([
    ["filename*=UTF-8''%E2%82%AC.txt", '€.txt'],
    ['filename="=?utf-8?Q?=E2=82=AC.txt?="', '€.txt'],
    ['filename*0*=iso-8859-1\'de\'B%E4; filename*1="r%20"; filename*2*=%DC.txt', 'Bär%20Ü.txt'],
    ['filename*1=b; filename*0=a', 'ab'],
    ["filename=plain; filename*=utf-8''better", 'better'],
    ["filename*=''x", 'x'],
    ['filename*=no-quotes', 'no-quotes'],
    ["filename*=utf-8''%ZZ%4", '%ZZ%4'],
    ['filename="a;b\\"c"', 'a;b"c'],
    ['filename="citt\xc3\xa0"', 'città'],
    ['filename=citt\xc3\xa0 ; x=y', 'città'],
    ['filename="open', 'open'],
    ['filename*="=?utf-8?Q?d=C3=A4.zip?="', 'dä.zip'],
    ['filename*0="=?utf-8?Q?Ma=C3=9Fnahmen_?="; filename*1="=?utf-8?Q?Okt=2E?="', 'Maßnahmen Okt.'],
    ['filename*0="=?utf-8?B?TWHDn25h"; filename*1="aG1lbg==?="', 'Maßnahmen'],
    ["filename*=utf-8''%3D%3Futf-8%3FQ%3Fd%C3%A4%3D3F%3F%3D", 'dä?'],
    ['filename="C:\\Users\\me\\Report.pdf"', 'C:\\Users\\me\\Report.pdf'],
    ['filename="C:\\\\Users\\\\me.pdf"', 'C:\\Users\\me.pdf'],
    ['filename=C:\\Users\\me.pdf', 'C:\\Users\\me.pdf'],
    ['filename="a\\(1\\).pdf"', 'a(1).pdf'],
  ])('reads %s', (field, name) => {
    expect(filename(field)).toBe(name);
  });

  it('decodes raw bytes in the declared charset, which may have backslashes', () => {
    const sjis = '\x95\x5c.pdf';
    const name = (field: string): string | undefined =>
      parseParameters(`attachment; ${field}`, 'shift_jis').parameters.get('filename');
    expect(name(`filename="${sjis}"`)).toBe('表.pdf');
    expect(name(`filename*0="${sjis}"`)).toBe('表.pdf');
  });

  it('M6: takes the first of two and reports the ambiguity', () => {
    const { parameters, ambiguous } = parseParameters('multipart/mixed; boundary=one; boundary=two');
    expect(parameters.get('boundary')).toBe('one');
    expect(ambiguous).toBe(true);
  });

  it('M6: ends at a gap in RFC 2231 pieces, and refuses pieces without a first', () => {
    expect(filename('filename*0=a; filename*2=c')).toBe('a');
    expect(filename('filename*999=x')).toBeUndefined();
    expect(filename('filename*99999999999=x')).toBeUndefined();
    expect(parseParameters('a/b; filename*999=x').ambiguous).toBe(true);
  });

  it('bounds the number of parameters', () => {
    const { parameters, ambiguous } = parseParameters(
      'a/b' + Array.from({ length: 5_000 }, (_, i) => `; p${i}=1`).join(''),
    );
    expect(parameters.size).toBeLessThanOrEqual(200);
    expect(ambiguous).toBe(true);
  });
});
