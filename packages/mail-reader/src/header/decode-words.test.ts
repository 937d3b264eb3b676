// Encoded words (RFC 2047) and raw 8-bit header text.
import { describe, expect, it, vi } from 'vitest';
import { decodeWords } from './decode-words.ts';

describe('decodeWords', () => {
  it.each([
    ['plain text', 'plain text'],
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe_x?=', 'Grüße x'],
    ['=?UTF-8?b?R3LDvMOfZQ==?=', 'Grüße'],
    ['=?us-ascii*en?Q?Keith_Moore?=', 'Keith Moore'],
    ['=?iso-8859-1?Q?=E4?= =?iso-8859-2?Q?=E8?=', 'äč'],
    ['=?ISO-2022-JP?B?GyRCRnwbKEI=?= =?ISO-2022-JP?B?GyRCS1wbKEI=?=', '日本'],
    ['=?koi8-r?B?8NLJ18XU?=', 'Привет'],
    ['=?windows-1251?Q?=CA=EE=E4?=', 'Код'],
    ['=?ks_c_5601-1987?B?x9GxuQ==?=', '한국'],
    ['=?gb2312?B?1tDOxA==?=', '中文'],
    ['=?x-sjis?B?k/qWew==?=', '日本'],
    ['=?cp1252?Q?=80?=', '€'],
    ['=?iso-8859-8-i?Q?=F9=EC=E5=ED?=', 'שלום'],
    ['=?unknown-8bit?Q?caf=C3=A9?=', 'café'],
    ['=?no-such-charset?Q?caf=E9?=', 'café'],
    ['=?utf-7?Q?+ADw-?=', '+ADw-'],
    ['=?utf-8?Q?a b?=', 'a b'],
    ['=?utf-8?Q?=ZZ=4?=', '=ZZ=4'],
    ['=?utf-8?Q??=', ''],
  ])('decodes %s', (value, text) => {
    expect(decodeWords(value)).toBe(text);
  });

  it('joins a character that was split between words of one charset', () => {
    const bytes = Buffer.from('日本');
    const word = (part: Buffer): string => `=?UTF-8?B?${part.toString('base64')}?=`;
    expect(decodeWords(`${word(bytes.subarray(0, 4))}\t${word(bytes.subarray(4))}`)).toBe('日本');
    expect(decodeWords('=?utf-8?Q?=E6=97?= =?UTF-8?B?pQ==?=')).toBe('日');
  });

  it('joins an escape that was split between words', () => {
    expect(decodeWords('=?UTF-8?Q?p=?= =?UTF-8?Q?C5=99idal?=')).toBe('přidal');
    expect(decodeWords('=?UTF-8?Q?p=C?= =?utf-8?Q?5=99?= =?utf-8?q?idal?=')).toBe('přidal');
    expect(decodeWords('=?utf-8?Q?a=C3?= =?utf-8?B?qWI=?= =?utf-8?Q?_c?=')).toBe('aéb c');
    expect(decodeWords('=?utf-8?Q?1+1=?= =?utf-8?Q?_2?=')).toBe('1+1= 2');
  });

  it('joins base64 that was split anywhere', () => {
    expect(decodeWords('=?utf-8?B?R3LDv?= =?utf-8?B?MOfZQ==?=')).toBe('Grüße');
  });

  it.each(['=?utf-8?Q?open', '=?utf-8?X?a?=', '=??Q?a?=', '=?', '=?=?=?', 'a =? b ?= c', '=?utf-8?'])(
    'leaves %s unchanged',
    (value) => {
      expect(decodeWords(value)).toBe(value);
    },
  );

  it('decodes 7-bit ISO-2022-JP that was not encoded', () => {
    expect(decodeWords('\x1b$BF|\x1b(B!')).toBe('日!');
  });
});

it('looks up few charsets, however many encoded words a value has', () => {
  let made = 0;
  class Counted extends TextDecoder {
    constructor(label?: string) {
      made++;
      super(label);
    }
  }
  vi.stubGlobal('TextDecoder', Counted);
  try {
    const words = Array.from({ length: 1300 }, (_, at) => `=?x-${at}?q?=C3=A9${at}?=`);
    const text = decodeWords(words.join(' '));
    expect([text.startsWith('\u00e90\u00e91'), text.endsWith('\u00e91299')]).toEqual([true, true]);
    expect(made).toBeLessThan(100);
  } finally {
    vi.unstubAllGlobals();
  }
});
