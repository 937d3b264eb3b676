import { expect, it } from 'vitest';

import { parseControlRequest } from './control-protocol.ts';

const password = { kind: 'password', password: 'p' };
const token = { kind: 'oauth2', clientId: 'i', clientSecret: '', refreshToken: 'r', tokenUrl: 'https://t/' };
const add = { command: 'gmail-add', email: 'a@b.c', credentials: password };

it.each([
  { command: 'gmail-list' },
  { command: 'gmail-test', email: 'a@b.c' },
  { command: 'gmail-disable', email: 'a@b.c' },
  { command: 'gmail-remove', email: 'a@b.c' },
  add,
  { ...add, credentials: token },
  { ...add, host: 'h', port: 1, security: 'none', user: 'u', inboxFolder: 'i', spamFolder: 's' },
  { command: 'secret-rotate', newKey: 'ab'.repeat(32) },
])('reads what is asked: %j', (request) => {
  expect(parseControlRequest(JSON.stringify({ ...request, more: 1 }))).toEqual(request);
});

it.each([
  { command: 'gmail-test' },
  { command: 'gmail-remove', email: 5 },
  { command: 'gmail-add', email: 'a@b.c' },
  { ...add, email: null },
  { ...add, credentials: null },
  { ...add, credentials: 'p' },
  { ...add, credentials: { kind: 'password' } },
  { ...add, credentials: { kind: 'other', password: 'p' } },
  { ...add, credentials: { ...token, clientId: 1 } },
  { ...add, credentials: { ...token, tokenUrl: undefined } },
  { ...add, port: '143' },
  { ...add, security: 'ssl' },
  { ...add, host: {} },
  { ...add, spamFolder: null },
  { command: 'secret-rotate' },
  { command: 'secret-rotate', newKey: 'short' },
  { command: 'gmail-' },
])('knows nothing of %j', (request) => {
  expect(parseControlRequest(JSON.stringify(request))).toBeUndefined();
});
