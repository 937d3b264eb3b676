import { describe, expect, it } from 'vitest';
import { flagLink } from './link-flags.ts';

describe('flagLink', () => {
  it.each([
    ['https://example.com/a', 'Click here'],
    ['https://example.com/a', 'https://example.com/b?c'],
    ['https://www.example.com/a', 'example.com'],
    ['https://click.example.com/a', 'Example.com'],
    ['https://example.com/', 'login.example.com'],
    ['https://example.com/', 'Node.js'],
    ['https://example.com/', 'report.pdf'],
    ['https://example.com/', 'write to ann@other.com'],
    ['https://example.com/', 'ann@other.com'],
    ['https://example.com/', 'see https://other.com for more'],
    ['https://example.com/', '3.14'],
    ['not a url', 'https://example.com'],
  ])('flags nothing for %s with the text "%s"', (url, text) => {
    expect(flagLink(url, text)).toEqual([]);
  });

  it.each([
    ['https://evil.test/', 'https://paypal.com/login'],
    ['https://evil.test/', ' paypal.com '],
    ['https://evil.test/', 'www.paypal.com'],
    ['https://paypal.com.evil.test/', 'paypal.com'],
    ['https://notpaypal.com/', 'paypal.com'],
    ['https://evil.test/', 'pay\u200bpal.com'],
    ['https://evil.test/', 'http://10.0.0.1/'],
  ])('flags %s with the text "%s" as a mismatch', (url, text) => {
    expect(flagLink(url, text)).toEqual(['mismatch']);
  });

  it('flags hosts beyond ASCII, written either way', () => {
    expect(flagLink('https://аpple.com/', 'Apple')).toEqual(['punycode']);
    expect(flagLink('https://www.xn--pple-43d.com/', 'Apple')).toEqual(['punycode']);
    expect(flagLink('https://xn--pple-43d.com/', 'apple.com')).toEqual(['punycode', 'mismatch']);
  });

  it('flags anything before an at sign', () => {
    expect(flagLink('https://paypal.com@evil.test/', 'Pay')).toEqual(['userinfo']);
  });
});
