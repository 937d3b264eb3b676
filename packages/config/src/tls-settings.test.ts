import { expect, it } from 'vitest';

import { loadConfig } from './load-config.ts';
import { stagingOf, usualNames } from './tls-settings.ts';

const acme = { MAYFLY_HTTP_TLS: 'acme', MAYFLY_HTTP_PUBLIC_URL: 'https://mail.example.org' };

it('serves plain HTTP unless the operator decides otherwise', () => {
  expect(loadConfig({}).http).toMatchObject({ tls: 'off', redirectPort: 80 });
});

it.each([
  [{ MAYFLY_HTTP_TLS: 'acme' }, /MAYFLY_HTTP_PUBLIC_URL or MAYFLY_ACME_NAMES must name a public host/],
  [{ MAYFLY_HTTP_TLS: 'acme', MAYFLY_HTTP_PUBLIC_URL: 'https://localhost' }, /must name a public host/],
  [{ MAYFLY_HTTP_TLS: 'files' }, /MAYFLY_HTTP_TLS_CERT_FILE must be set/],
  [{ MAYFLY_HTTP_TLS_CERT_FILE: 'cert.pem' }, /must be set together/],
  [{ ...acme, MAYFLY_HTTP_PUBLIC_URL: 'http://mail.example.org' }, /must begin with https/],
  [{ ...acme, MAYFLY_ACME_EAB_KEY_ID: 'kid' }, /must be set together/],
  [
    { ...acme, MAYFLY_ACME_CHALLENGES: 'http-01', MAYFLY_HTTP_REDIRECT_PORT: 'off' },
    /needs MAYFLY_HTTP_REDIR/,
  ],
  [{ MAYFLY_SMTP_MTA_STS: 'enforce' }, /needs MAYFLY_SMTP_HOSTNAME/],
])('refuses settings that do not go together: %j', (environment, expected) => {
  expect(() => loadConfig(environment)).toThrow(expected);
});

it.each([
  [acme],
  [{ MAYFLY_HTTP_TLS: 'acme', MAYFLY_ACME_NAMES: '192.0.2.1,2001:db8::1,Mail.Example.org' }],
  [{ MAYFLY_HTTP_TLS: 'acme', MAYFLY_SMTP_HOSTNAME: 'mx.example.org' }],
  [{ ...acme, MAYFLY_HTTP_REDIRECT_PORT: 'off' }],
  [{ MAYFLY_HTTP_TLS: 'files', MAYFLY_SMTP_TLS_CERT_FILE: 'c.pem', MAYFLY_SMTP_TLS_KEY_FILE: 'k.pem' }],
])('takes %j', (environment) => {
  expect(loadConfig(environment).http.tls).not.toBe('off');
});

it('folds names, and takes each once', () => {
  const { names } = loadConfig({ MAYFLY_ACME_NAMES: 'a.test, A.test,b.test' }).acme;
  expect(names).toEqual(['a.test', 'b.test']);
});

it('finds the public names of the server in its settings', () => {
  const of = (publicUrl: string, hostname: string): string[] =>
    usualNames({ http: { publicUrl }, smtp: { hostname } });
  expect(of('https://mail.example.org:8443', 'mx.example.org')).toEqual([
    'mail.example.org',
    'mx.example.org',
  ]);
  expect(of('https://[2001:db8::1]', 'mx')).toEqual(['2001:db8::1']);
  expect(of('', '')).toEqual([]);
});

it('knows the staging server of the usual one, and of others only what is set', () => {
  const { directory } = loadConfig({}).acme;
  expect(stagingOf({ directory, staging: 'auto' })).toMatch(/staging/);
  expect(stagingOf({ directory, staging: 'off' })).toBeUndefined();
  expect(stagingOf({ directory: 'https://ca.test/dir', staging: 'auto' })).toBeUndefined();
  expect(stagingOf({ directory: 'https://ca.test/dir', staging: 'https://s.test/dir' })).toBe(
    'https://s.test/dir',
  );
});
