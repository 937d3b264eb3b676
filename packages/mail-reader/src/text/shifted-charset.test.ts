// The two shifted charsets of old mail, through decodeCharset.
import { describe, expect, it } from 'vitest';
import { decodeCharset } from './charset.ts';

describe('a charset that shifts between ASCII and pairs', () => {
  it.each([
    ['iso-2022-kr', '\x1b$)CHi \x0e>H3g\x0f, you\n\x0e>H', 'Hi 안녕, you\n안'],
    ['ISO-2022-KR', '\x1b$)C\x0e>H3g\nplain', '안녕\nplain'],
    ['hz-gb-2312', 'Hi ~{VPND~}~~ ok ~\nnext ~{VP', 'Hi 中文~ ok next 中'],
    ['HZ-GB-2312', '~{VP\nplain', '中\nplain'],
  ])('is read: %s', (label, bytes, text) => {
    expect(decodeCharset(Buffer.from(bytes, 'latin1'), label)).toEqual({ text, known: true });
  });

  it.each(['iso-2022-kr', 'hz-gb-2312'])('never throws: %s', (label) => {
    for (const bytes of ['', '~', '~{', '\x1b$', '\x0e', '\x0e>', '\xff\x00~{\xff~}', '~'.repeat(1000)]) {
      expect(typeof decodeCharset(Buffer.from(bytes, 'latin1'), label).text).toBe('string');
    }
  });
});
