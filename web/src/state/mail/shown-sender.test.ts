import { describe, expect, it } from 'vitest';

import { domainOf, namesAnother, showAddress, showSender, toAsciiDomain } from './shown-sender.ts';

describe('showAddress', () => {
  it.each([
    'me@example.org',
    'me@bücher.example',
    'me@例子.中国',
    'me@пример.рф',
    'me@παράδειγμα.δοκιμή',
    'me@مثال.إختبار',
    'me@한국.example',
    'me@evil.test/paypal.test',
    '',
  ])('leaves %s as it is', (email) => {
    expect(showAddress(email)).toBe(email);
  });

  it.each([
    ['me@pаypal.test', 'me@xn--pypal-4ve.test'],
    ['me@аррӏе.test', 'me@xn--80ak6aa92e.test'],
    ['me@gοοgle.test', 'me@xn--ggle-0nda.test'],
    ['me@ρο.test', 'me@xn--0xad.test'],
    ['me@paypaı.test', 'me@xn--paypa-r4a.test'],
  ])('shows %s as %s', (email, shown) => {
    expect(showAddress(email)).toBe(shown);
  });
});

it('does not take for a domain what a URL would cut', () => {
  for (const domain of [
    'evil.test/paypal.test',
    'a?b',
    'a#b',
    'a\\b',
    'a:1',
    'x@a',
    '[::1]',
    'a..b',
    '',
    '.',
  ]) {
    expect(toAsciiDomain(domain)).toBe('');
  }
  expect(domainOf('"a@paypal.test"@Evil.Test')).toBe('evil.test');
  expect(domainOf('me@bücher.example')).toBe('xn--bcher-kva.example');
});

describe('namesAnother', () => {
  it.each([
    ['service@paypal.test', 'x@evil.test'],
    ['PayPal (service@paypal.test)', 'x@evil.test'],
    ['service＠paypal.test', 'x@evil.test'],
    ['service@pay\u200bpal.test', 'x@evil.test'],
    ['service@paypal.test.', 'x@evil.test'],
    ['service@paypal.test', 'x@paypal.test.evil.test'],
    ['x@evil.test service@paypal.test', 'x@evil.test'],
    ['service@evil.test/paypal.test', 'x@evil.test'],
  ])('%s of %s', (name, email) => {
    expect(namesAnother(name, email)).toBe(true);
    expect(showSender({ sender_name: name, sender_email: email })).toBe(`${name} <${email}>`);
  });

  it.each([
    ['PayPal', 'x@evil.test'],
    ['ann@example.org', 'ann@example.org'],
    ['Ann (ann@example.org)', 'noreply@mail.Example.org'],
    ['ann@mail.example.org', 'noreply@example.org'],
    ['@ann', 'noreply@example.org'],
    ['meet @ the.bar', 'noreply@example.org'],
    ['service@paypal.test', ''],
    ['', 'x@evil.test'],
  ])('not %s of %s', (name, email) => {
    expect(namesAnother(name, email)).toBe(false);
  });
});
