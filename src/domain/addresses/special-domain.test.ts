import { expect, it } from 'vitest';

import { demoDomain, isSpecialDomain } from './special-domain.ts';

it.each([
  demoDomain,
  'a.b.test',
  'TEST',
  'localhost',
  'mail.localhost',
  'x.example',
  'example.com',
  'a.internal',
])('knows that strangers cannot send to %s', (name) => {
  expect(isSpecialDomain(name)).toBe(true);
});

it.each([
  'mayfly.io',
  'test.com',
  'mytest',
  'notexample.com',
  'example.de',
  'test.example.io',
  'home.arpa.net',
])('takes %s for a public domain', (name) => {
  expect(isSpecialDomain(name)).toBe(false);
});
