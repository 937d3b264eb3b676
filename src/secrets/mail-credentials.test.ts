import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import type { MailCredentials } from '#imap-reader/credentials';
import { openCredentials, sealCredentials } from './mail-credentials.ts';

const key = randomBytes(32);
const place = {
  email: 'fox@gmail.com',
  host: 'imap.gmail.com',
  port: 993,
  security: 'tls',
  user: 'fox@gmail.com',
};
const password: MailCredentials = { kind: 'password', password: 'abcd efgh ijkl mnop' };
const token: MailCredentials = {
  kind: 'oauth2',
  clientId: 'id',
  clientSecret: '',
  refreshToken: 'refresh',
  tokenUrl: 'https://oauth2.googleapis.com/token',
};

it.each([password, token])('opens what it sealed, $kind', (credentials) => {
  const sealed = sealCredentials(key, place, credentials);
  expect(openCredentials(key, place, sealed)).toEqual(credentials);
  expect(sealed.includes('abcd')).toBe(false);
  expect(sealCredentials(key, place, credentials)).not.toEqual(sealed);
});

it('opens nothing under another key or when it was altered', () => {
  const sealed = sealCredentials(key, place, password);
  expect(() => openCredentials(randomBytes(32), place, sealed)).toThrow(Error);
  for (const at of [0, 12, 28, sealed.length - 1]) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(() => openCredentials(key, place, altered)).toThrow(Error);
  }
  expect(() => openCredentials(key, place, sealed.subarray(0, 20))).toThrow(Error);
});

it.each([
  { email: 'other@gmail.com' },
  { host: 'imap.evil.test' },
  { port: 143 },
  { security: 'none' },
  { user: 'other@gmail.com' },
])('opens nothing for another place: write access to the store cannot send a password to $host', (change) => {
  const sealed = sealCredentials(key, place, password);
  expect(() => openCredentials(key, { ...place, ...change }, sealed)).toThrow(Error);
});
