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
  ])('reads %s', (field, name) => {
    expect(filename(field)).toBe(name);
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
