import { expect, it } from 'vitest';

import { findServer } from './find-server.ts';

const login = { user: 'worker-3', password: 'mayfly' };

it.each([
  [{}, undefined, { host: '127.0.0.1', port: 1025, login }],
  [{ SMTP_HOST: '::1' }, undefined, { host: '::1', port: 1025, login }],
  [{ SMTP_HOST: 'mail', SMTP_PORT: '2525' }, undefined, { host: 'mail', port: 2525, login }],
  [
    { SMTP_URL: 'smtp://ci%203:p%40@mail', SMTP_HOST: 'other' },
    undefined,
    { host: 'mail', port: 25, login: { user: 'ci 3', password: 'p@' } },
  ],
  [{ SMTP_URL: 'smtp://mail:1025' }, '127.0.0.1:2525', { host: '127.0.0.1', port: 2525, login }],
])('finds the server by %j and the option %s', (environment, given, server) => {
  expect(findServer(environment, given, login)).toEqual(server);
});

it.each(['smtps://mail:465', 'mail:25', ''])('refuses the address "%s" as wrong usage', (address) => {
  expect(() => findServer({ SMTP_URL: address }, undefined)).toThrow(expect.objectContaining({ status: 64 }));
});
