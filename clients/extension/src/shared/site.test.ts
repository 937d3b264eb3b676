import { describe, expect, it } from 'vitest';

import { isDomainOfSite, isSameSite, keyOf, labelOf, makePrefix, siteOf } from './site.ts';
import { toServiceUrl } from './settings.ts';

describe('siteOf', () => {
  it.each([
    ['https://www.github.com/signup', 'github.com'],
    ['https://accounts.shop.co.uk/', 'shop.co.uk'],
    ['https://a.b.example.com.br/', 'example.com.br'],
    ['https://alice.github.io/', 'alice.github.io'],
    ['https://x.s3.amazonaws.com/', 'x.s3.amazonaws.com'],
    ['http://localhost:3000/', 'localhost:3000'],
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['http://[::1]:8080/', '[::1]:8080'],
    ['https://shop.example./', 'shop.example'],
  ])('puts %s into %s', (url, site) => {
    expect(siteOf(url)).toBe(site);
  });

  it.each(['about:blank', 'data:text/html,x', 'chrome://extensions/', 'file:///etc/hosts', 'null', ''])(
    'is undefined for %j',
    (url) => {
      expect(siteOf(url)).toBeUndefined();
    },
  );
});

describe('isSameSite', () => {
  it.each([
    ['https://www.shop.com', 'https://login.shop.com', true],
    ['https://shop.com', 'https://shop.com.evil.net', false],
    ['https://alice.github.io', 'https://bob.github.io', false],
    ['https://one.co.uk', 'https://two.co.uk', false],
    ['https://one.uk.com', 'https://two.uk.com', false],
    ['https://one.westeurope.cloudapp.azure.com', 'https://two.westeurope.cloudapp.azure.com', false],
    ['http://localhost:3000', 'http://localhost:4000', false],
    ['null', 'null', false],
  ])('finds %s and %s the same: %s', (one, other, isSame) => {
    expect(isSameSite(one, other)).toBe(isSame);
  });

  it('takes mail from a subdomain for the site’s own', () => {
    expect(isDomainOfSite('mail.shop.com', 'shop.com')).toBe(true);
    expect(isDomainOfSite('shop.com.evil.net', 'shop.com')).toBe(false);
  });
});

describe('keyOf', () => {
  it.each([
    ['https://www.shop.com/a', false, 'shop.com'],
    ['http://www.shop.com/a', false, 'http://shop.com'],
    ['http://www.shop.com/a', true, 'private http://shop.com'],
    ['http://localhost:3000/', false, 'localhost:3000'],
    ['http://192.168.1.2:8080/', false, 'http://192.168.1.2:8080'],
  ])('keeps the address of %s (private: %s) as %j', (url, isPrivate, key) => {
    expect(keyOf(url, isPrivate)).toBe(key);
  });
});

describe('a prefix', () => {
  it.each([
    ['github.com', 'github'],
    ['my_shop.example', 'my-shop'],
    ['xn--bcher-kva.example', ''],
    ['127.0.0.1:8080', ''],
    ['localhost:3000', 'localhost'],
    ['a-very-long-name-of-a-company.example', 'a-very-long-name-of'],
  ])('for %s has the label %j', (site, label) => {
    expect(labelOf(site)).toBe(label);
  });

  it('is accepted by the service, and is another each time', () => {
    const prefixes = Array.from({ length: 200 }, () => makePrefix('github.com'));
    expect(new Set(prefixes).size).toBe(200);
    for (const prefix of prefixes) expect(prefix).toMatch(/^github\.[a-km-np-z2-9]{10}$/);
  });
});

describe('toServiceUrl', () => {
  it.each([
    ['https://mail.example.org/', 'https://mail.example.org'],
    ['mail.example.org/mayfly/', 'https://mail.example.org/mayfly'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    [' http://localhost:8080/ ', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('takes %j', (typed, url) => {
    expect(toServiceUrl(typed)).toBe(url);
  });

  it.each([
    '',
    'http://mail.example.org',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'ftp://mail.example.org',
    'https://name:word@mail.example.org',
    'mail example',
  ])('refuses %j', (typed) => {
    expect(toServiceUrl(typed)).toBeUndefined();
  });
});
