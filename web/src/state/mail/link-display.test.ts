import { describe, expect, it } from 'vitest';

import { toLinkDisplay, toTextPieces } from './link-display.ts';

describe('a link', () => {
  it('shows the host that is really asked', () => {
    expect(toLinkDisplay('https://shop.example:8443/verify?t=1')?.host).toBe('shop.example:8443');
    expect(toLinkDisplay('https://paypal.com@evil.example/')?.host).toBe('evil.example');
    // Cyrillic а
    expect(toLinkDisplay('https://\u0430pple.com/')?.host).toBe('xn--pple-43d.com');
    expect(toLinkDisplay('http://shop.example/')?.isInsecure).toBe(true);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:a@b', '/read-mail', 'http://', 'nonsense', ''])(
    'is none in %j',
    (url) => {
      expect(toLinkDisplay(url)).toBeNull();
    },
  );

  it('is none when it is absurdly long', () => {
    expect(toLinkDisplay(`https://a.example/${'x'.repeat(5000)}`)).toBeNull();
  });
});

describe('plain text', () => {
  const hrefs = (text: string) => toTextPieces(text).flatMap(({ link }) => (link ? [link.href] : []));

  it('keeps every letter', () => {
    const text = 'See https://a.example/x, or (https://b.example/y). End http:// https://';
    expect(
      toTextPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it('leaves the marks of the sentence out of its links', () => {
    expect(hrefs('See https://a.example/x, or (https://b.example/y).')).toEqual([
      'https://a.example/x',
      'https://b.example/y',
    ]);
    expect(hrefs('https://a.example/w(1)')).toEqual(['https://a.example/w(1)']);
  });
});
