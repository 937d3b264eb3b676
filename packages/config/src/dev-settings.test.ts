import { describe, expect, it } from 'vitest';

import { type DevOptions, readDevSettings } from './dev-settings.ts';
import { loadConfig } from './load-config.ts';

function load(environment: Record<string, string> = {}, options: Partial<DevOptions> = {}) {
  return loadConfig(readDevSettings(environment, { dataDir: '/tmp/dev', ...options }).environment);
}

describe('readDevSettings', () => {
  it('listens on loopback at 1025 and 8025, limits no rates and lets no address rest', () => {
    const { general, http, smtp, limits, session, compat } = load();
    expect([smtp.host, smtp.port, http.host, http.port]).toEqual(['127.0.0.1', 1025, '127.0.0.1', 8025]);
    expect(compat).toMatchObject({ host: '127.0.0.1', port: 8025, default: 'on' });
    expect([limits.rate, session.quarantineSeconds, general.dataDir]).toEqual(['off', 0, '/tmp/dev']);
  });

  it('puts options before Mailpit’s variables, and those before the service’s own', () => {
    const own = { MAYFLY_HTTP_HOST: '0.0.0.0', MAYFLY_SMTP_HOST: '0.0.0.0', MAYFLY_SMTP_PORT: '2525' };
    expect(load(own).smtp).toMatchObject({ host: '0.0.0.0', port: 1025 });
    const mailpit = { ...own, MP_SMTP_BIND_ADDR: '127.0.0.2:26', MP_UI_BIND_ADDR: '[::1]:81' };
    expect(load(mailpit).smtp).toMatchObject({ host: '127.0.0.2', port: 26 });
    expect(load(mailpit).http).toMatchObject({ host: '::1', port: 81 });
    const options = { host: 'localhost', smtpPort: 0, httpPort: 1 };
    expect(load(mailpit, options).smtp).toMatchObject({ host: 'localhost', port: 0 });
    expect(load(mailpit, options).http).toMatchObject({ host: 'localhost', port: 1 });
    expect(load({ MP_SMTP_BIND_ADDR: ':25' }).smtp).toMatchObject({ host: '0.0.0.0', port: 25 });
  });

  it('takes what else the environment sets, but no store and no public URL', () => {
    const { general, http, store, limits } = load({
      MAYFLY_DOMAINS: 'one.test',
      MAYFLY_LOG_LEVEL: 'debug',
      MAYFLY_DATA_DIR: '/var/lib/mayfly',
      MAYFLY_STORE_URL: 'postgres://u:p@host/database',
      MAYFLY_STORE_DIRECT_URL: 'postgres://u:p@host/database',
      MAYFLY_HTTP_PUBLIC_URL: 'https://mail.example.org',
      MAYFLY_LIMITS_RATE: 'on',
    });
    expect(general).toMatchObject({ domains: ['one.test'], logLevel: 'debug', dataDir: '/tmp/dev' });
    expect([http.publicUrl, store.url, store.directUrl, limits.rate]).toEqual(['', 'sqlite:', '', 'off']);
  });

  it('holds as many messages as MP_MAX_MESSAGES says, 500 without it', () => {
    expect(load().limits.sessionMessages).toBe(500);
    expect(load({ MP_MAX_MESSAGES: '20' }).limits.sessionMessages).toBe(20);
    expect(load({ MP_MAX_MESSAGES: '0' }).limits.sessionMessages).toBe(Infinity);
  });

  it('reads who may authenticate', () => {
    const authOf = (environment: Record<string, string>) =>
      readDevSettings(environment, { dataDir: '' }).mailpitAuth;
    expect(authOf({})).toBeUndefined();
    expect(authOf({ MP_SMTP_AUTH_ALLOW_INSECURE: 'true', MP_SMTP_AUTH_ACCEPT_ANY: '0' })).toBeUndefined();
    expect(authOf({ MP_SMTP_AUTH_ACCEPT_ANY: '1' })).toEqual({ accounts: undefined });
    expect(authOf({ MP_SMTP_AUTH: 'a:b:c  d:e' })?.accounts).toEqual(
      new Map([
        ['a', 'b:c'],
        ['d', 'e'],
      ]),
    );
  });

  it('names Mailpit’s variables that mean nothing here', () => {
    const { ignored } = readDevSettings({ MP_WEBROOT: '/x', MP_SMTP_AUTH: 'a:b' }, { dataDir: '' });
    expect(ignored).toEqual(['MP_WEBROOT']);
  });

  it.each([
    ['MP_MAX_MESSAGES', '-1'],
    ['MP_MAX_MESSAGES', '2000000'],
    ['MP_SMTP_AUTH', 'user'],
    ['MP_SMTP_AUTH', 'a:b user:'],
    ['MP_SMTP_AUTH_ACCEPT_ANY', 'maybe'],
    ['MP_SMTP_AUTH_ALLOW_INSECURE', 'maybe'],
    ['MP_SMTP_BIND_ADDR', '1025'],
    ['MP_SMTP_BIND_ADDR', 'host:65536'],
    ['MP_UI_BIND_ADDR', '[host]:80'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => readDevSettings({ [name]: value }, { dataDir: '' })).toThrow(name);
  });

  it('shows no password of MP_SMTP_AUTH in its error', () => {
    const wrong = { MP_SMTP_AUTH: 'user:secret other' };
    expect(() => readDevSettings(wrong, { dataDir: '' })).toThrow(/^(?!.*secret)/);
  });
});
