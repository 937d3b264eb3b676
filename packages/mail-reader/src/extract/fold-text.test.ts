import { describe, expect, it } from 'vitest';
import { cleanText, foldCase } from './fold-text.ts';

describe('cleanText', () => {
  it('turns the digits of other scripts into ASCII', () => {
    expect(cleanText('٠١٩ ۰۱۹ ०१९ ০৯ ０１９ 𝟎𝟗')).toBe('019 019 019 09 019 09');
  });

  it('drops invisible characters and normalises spaces, hyphens and line ends', () => {
    expect(cleanText('1\u200b2\u200f3\ufeff\u00ad4\u00a05\u20116\r\n7\r8')).toBe('1234 5-6\n7\n8');
  });

  it('composes decomposed letters', () => {
    expect(cleanText('e\u0301')).toBe('é');
  });
});

describe('foldCase', () => {
  it('keeps the length for any letters', () => {
    for (const text of ['İSTANBUL ŞİFRE', 'Straße ǅ', 'Ёлка', 'كود التحقّق', '😀 A']) {
      expect(foldCase(text)).toHaveLength(text.length);
    }
  });

  it('makes spellings equal', () => {
    expect(foldCase('İ ı Ё ي ك')).toBe('i i е ی ک');
  });
});
