import { describe, expect, it } from 'vitest';

import { ConfigError, findUnknownVariables, loadConfig } from './load-config.ts';
import { settings, settingTree } from './settings.ts';

function refusalOf(environment: Record<string, string>): string {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('It was taken.');
}

/** Settings that may be any text, or any list of it. */
const anyText = settings
  .filter(({ type }) => type === 'text' || type === 'comma separated list')
  .map(({ name }) => name);

/** Wrong values of the settings whose type does not tell them by itself. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  MAYFLY_DOMAINS: ['a b.org', 'example.org,,-x.org', '127.0.0.1', 'bücher .example', longDomain(190)],
  MAYFLY_DNS_SERVERS: [
    'localhost',
    '192.0.2.1:0',
    '192.0.2.1:65536',
    '2001:db8::1]:53',
    '[192.0.2.1]',
    '192.0.2.1,none',
  ],
  MAYFLY_STORE_URL: ['mysql://localhost/mayfly', 'mayfly.db', 'SQLITE'],
  MAYFLY_STORE_DIRECT_URL: ['sqlite:', 'localhost'],
  MAYFLY_ROLES: ['smtp,web', ','],
  MAYFLY_HTTP_HOST: ['not a host', 'http://localhost', '127.0.0.1:8080', '[::1]', '*'],
  MAYFLY_HTTP_PUBLIC_URL: [
    'mail.example.org',
    'ftp://mail.example.org',
    'https://mail.example.org/mail',
    'https://me:secret@mail.example.org',
    'https://[mail',
    'https://mail.example.org:99999',
    'https://mail.example.org?x',
  ],
  MAYFLY_ADMIN_PUBLIC_URL: [
    'ops.example.org',
    'http://ops.example.org',
    'https://192.0.2.1',
    'https://ops.example.org/admin',
    'https://me:secret@ops.example.org',
  ],
  MAYFLY_HTTP_BASE_PATH: [
    'mail',
    '/mail box',
    '/mail//box',
    '/mail?x',
    '/mail/../x',
    '/.',
    '/ma%20il',
    'https://a/b',
  ],
  MAYFLY_HTTP_HOSTS: ['https://mail.example.org', 'mail.example.org/x', 'a b', '*.example.org', '::1'],
  MAYFLY_HTTP_CORS_ORIGINS: ['app.example.org', 'https://app.example.org/x', 'null'],
  MAYFLY_HTTP_TRUSTED_PROXIES: [
    'lb.example.org',
    '10.0.0.0/33',
    '10.0.0.1,x',
    '10.0.0.0/',
    '999.0.0.1',
    '::/129',
  ],
  MAYFLY_HTTP_REDIRECT_PORT: ['on', '65536', '-1', '80 81'],
  MAYFLY_ACME_DIRECTORY: ['http://acme.example.org/directory', 'acme.example.org', 'off', 'https://'],
  MAYFLY_ACME_STAGING: ['http://acme.example.org/directory', 'on', 'https://'],
  MAYFLY_ACME_NAMES: ['*.example.org', 'https://example.org', 'a b', 'example.org:443', '10.0.0.0/8'],
  MAYFLY_ACME_EMAIL: ['ops', 'ops@example.org,b@example.org', 'Ops <ops@example.org>', 'mailto:ops'],
  MAYFLY_ACME_PROFILE: ['short lived', 'a/b', 'x'.repeat(65)],
  MAYFLY_ACME_CHALLENGES: ['dns-01', 'http-01,dns-01', ','],
  MAYFLY_ACME_EAB_KEY: ['short', 'not base64url, at all, but long', '+/'.repeat(20)],
  MAYFLY_HTTP_CHALLENGE_SECRET: ['short', 'x'.repeat(31)],
  MAYFLY_ADMIN_HOST: ['not a host', 'http://localhost'],
  MAYFLY_ADMIN_PORT: ['on', '65536', '-1', '80 81'],
  MAYFLY_COMPAT_HOST: ['not a host', 'http://localhost'],
  MAYFLY_COMPAT_PORT: ['on', '65536', '-1', '80 81'],
  MAYFLY_COMPAT_SENDER_EVENTS: [
    'resend',
    'other=http://a.example',
    'resend=ftp://a.example',
    '=http://a.example',
  ],
  MAYFLY_COMPAT_HOSTS: ['https://mail.example.org', 'a b', '*.example.org', '::1'],
  MAYFLY_ADMIN_HOSTS: ['https://mail.example.org', 'a b', '*.example.org', '::1'],
  MAYFLY_SMTP_HOST: ['not a host', 'smtp://localhost'],
  MAYFLY_SMTP_HOSTNAME: ['mx example', 'mx\nexample', '192.0.2.1'],
  MAYFLY_SMTP_PROXY_ADDRESSES: ['10.0.0.0/8', 'lb.example.org', '10.0.0.1,x'],
  MAYFLY_WEBHOOKS_URL: ['example.org/hook', 'ftp://example.org', 'https://'],
  MAYFLY_WEBHOOKS_SECRET: ['secret', 'whsec_AAAA', `${'whsec_' + 'A'.repeat(32)},x`],
  MAYFLY_WEBHOOKS_SCHEMES: ['ftp', 'https,gopher', ','],
  MAYFLY_WEBHOOKS_PORTS: ['0', '65536', '80,http', '-1'],
  MAYFLY_PUSH_CONTACT: ['postmaster@example.org', 'http://example.org', 'mailto:a b@c'],
  MAYFLY_PUSH_HOSTS: [
    ...[
      'https://push.example.org',
      'push',
      '*',
      '*.',
      '10.0.0.1',
      'http://push.example.org:80',
      'http://127.0.0.1',
    ],
    ...['http://10.0.0.1:80', 'http://127.0.0.1:80/a', 'a b.example'],
  ],
  MAYFLY_PUSH_SECRET: ['hunter2', 'A'.repeat(42), `${'A'.repeat(43)}=`],
  MAYFLY_SECRET_KEY: ['hunter2', 'a'.repeat(63), 'g'.repeat(64), 'a'.repeat(45)],
  MAYFLY_TRACES_URL: ['collector:4318', 'grpc://collector:4317', 'on'],
  MAYFLY_TRACES_SAMPLE: ['2', '-1', '5%', '1e-3'],
  MAYFLY_WEBHOOKS_ALLOWED_HOSTS: ['https://a.example', 'a b', 'a.example/x'],
};

const isDuration = (type: string): boolean => /^(?:milliseconds, or )?a duration/.test(type);
const wholeNumber = /^whole number from (\d+) to (\d+)/;

/** Every variable with values that are wrong for it. */
const wrongValues = settings
  .filter(({ name }) => !anyText.includes(name))
  .flatMap(({ name, type }) => {
    const [, min, max] = wholeNumber.exec(type)?.map(Number) ?? [];
    if (min !== undefined && max !== undefined) {
      const texts = [String(min - 1), String(max + 1), `${max}.0`, `${min}e0`, 'none', '５', '9'.repeat(30)];
      return texts.map((value) => [name, value] as const);
    }
    if (isDuration(type)) {
      const texts = ['-1', '1.5h', '30 days', '1w', '9999d', 'none', '30d12', '５d', '9'.repeat(30)];
      return texts.map((value) => [name, value] as const);
    }
    if (type.includes(' | ')) return [[name, 'nonsense'] as const, [name, type] as const];
    return (wrong[name] ?? []).map((value) => [name, value] as const);
  });

function longDomain(octets: number): string {
  return 'd.'.repeat(octets).slice(0, octets - 1) + 'd';
}

describe('a wrong value', () => {
  it('is known for every setting that does not take any text', () => {
    const known = new Set(wrongValues.map(([name]) => name));
    const names = settings.map(({ name }) => name).filter((name) => !anyText.includes(name));
    expect([...known].sort()).toEqual(names.sort());
    expect(Object.keys(wrong).filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(wrongValues)('for %s is refused in one line that names it: %.40j', (name, value) => {
    const message = refusalOf({ [name]: value });
    const isSecret =
      /_SECRET$|_SENDER_EVENTS$|^MAYFLY_WEBHOOKS_URL$|^MAYFLY_ACME_EAB_KEY$|^MAYFLY_STORE_(?:DIRECT_)?URL$|^MAYFLY_SECRET_KEY$/.test(
        name,
      );
    expect(message).not.toContain('\n');
    expect(message).toMatch(
      new RegExp(`^${name} must be .+, but is ${isSecret ? 'something else' : '".*"'}\\.$`),
    );
    expect(message.includes(JSON.stringify(value.slice(0, 100)))).toBe(!isSecret);
  });

  it('is cut in the message', () => {
    expect(refusalOf({ MAYFLY_HTTP_PORT: '9'.repeat(100_000) }).length).toBeLessThan(300);
  });

  it('for a certificate without its key, or an endpoint without its secret, names the missing setting', () => {
    for (const name of ['MAYFLY_SMTP_TLS_CERT_FILE', 'MAYFLY_SMTP_TLS_KEY_FILE']) {
      expect(refusalOf({ [name]: '/x.pem' })).toBe(
        'MAYFLY_SMTP_TLS_CERT_FILE and MAYFLY_SMTP_TLS_KEY_FILE must be set together.',
      );
    }
    expect(refusalOf({ MAYFLY_WEBHOOKS_URL: 'https://a.example' })).toContain(
      'MAYFLY_WEBHOOKS_SECRET must be set',
    );
  });

  it('for a secret key in two places names both', () => {
    const message = refusalOf({ MAYFLY_SECRET_KEY: 'ab'.repeat(32), MAYFLY_SECRET_KEY_FILE: '/x' });
    expect(message).toBe('MAYFLY_SECRET_KEY and MAYFLY_SECRET_KEY_FILE exclude each other.');
  });

  it('for two settings together names both', () => {
    const message = refusalOf({
      MAYFLY_SESSION_LIFETIME_MIN_SECONDS: '600',
      MAYFLY_SESSION_LIFETIME_MAX_SECONDS: '300',
    });
    expect(message).toBe(
      'MAYFLY_SESSION_LIFETIME_MIN_SECONDS is 10m and above MAYFLY_SESSION_LIFETIME_MAX_SECONDS, 5m.',
    );
    expect(refusalOf({ MAYFLY_SESSION_TOTAL_MAX_SECONDS: '59' })).toBe(
      'MAYFLY_SESSION_LIFETIME_MIN_SECONDS is 1m and above MAYFLY_SESSION_TOTAL_MAX_SECONDS, 59s.',
    );
    expect(refusalOf({ MAYFLY_STORE_DIRECT_URL: 'postgres://localhost/mayfly' })).toBe(
      'MAYFLY_STORE_DIRECT_URL needs a PostgreSQL database in MAYFLY_STORE_URL.',
    );
    expect(refusalOf({ MAYFLY_STORE_PASSWORD: 'geheim' })).toBe(
      'MAYFLY_STORE_PASSWORD needs a PostgreSQL database in MAYFLY_STORE_URL.',
    );
    expect(
      refusalOf({ MAYFLY_STORE_URL: 'postgres:///mayfly?host=/run', MAYFLY_STORE_PASSWORD: 'geheim' }),
    ).toBe('MAYFLY_STORE_PASSWORD needs a host in the URL of the database.');
    const without = { MAYFLY_STORE_URL: 'postgres://me@db/mayfly', MAYFLY_STORE_PASSWORD: 'geheim' };
    for (const name of ['MAYFLY_STORE_URL', 'MAYFLY_STORE_DIRECT_URL']) {
      expect(refusalOf({ ...without, [name]: 'postgres://me:x@db/mayfly' })).toBe(
        'MAYFLY_STORE_PASSWORD and a password in a URL of the database exclude each other.',
      );
    }
  });
});

describe('loadConfig', () => {
  it.each(['plain', 'p@ss:w/o#r?d%41&=+ $x', '100%', ' blank ', 'ümläut', '\'"`\\'])(
    'takes the password of the database as it is: %j',
    (password) => {
      const { store } = loadConfig({
        MAYFLY_STORE_URL: 'postgres://me@db/mayfly?sslmode=disable',
        MAYFLY_STORE_DIRECT_URL: 'postgres://me@direct/mayfly',
        MAYFLY_STORE_PASSWORD: password,
      });
      for (const [url, host] of [
        [store.url, 'db'],
        [store.directUrl, 'direct'],
      ] as const) {
        expect(new URL(url).host).toBe(host);
        expect(decodeURIComponent(new URL(url).password)).toBe(password);
      }
      expect(store.url).toContain('/mayfly?sslmode=disable');
    },
  );

  it('needs no variable at all', () => {
    const config = loadConfig({});
    expect(config.general).toMatchObject({
      dataDir: './data',
      domains: [],
      logLevel: 'info',
    });
    expect(config.http).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: '',
      basePath: '',
      hosts: [],
    });
    expect(config.smtp).toMatchObject({ host: '127.0.0.1', port: 2525, messageMaxBytes: 36 * 1024 * 1024 });
    expect(config.session).toEqual({
      lifetimeDefaultSeconds: 3600,
      lifetimeMinSeconds: 60,
      lifetimeMaxSeconds: 86_400,
      totalMaxSeconds: 7 * 86_400,
      quarantineSeconds: 30 * 86_400,
    });
    expect(config.limits).toMatchObject({ sessionMessages: 100, sessionBytes: 50_000_000 });
  });

  it('takes an empty or blank variable for none', () => {
    const blank = Object.fromEntries(settings.map(({ name }) => [name, ' \t']));
    expect(loadConfig(blank)).toEqual(loadConfig({}));
  });

  it('reads what is given, blanks around it cut', () => {
    const config = loadConfig({
      MAYFLY_DATA_DIR: ' /srv/mail box ',
      MAYFLY_DOMAINS: ' Example.org, ,b\u00fccher.example ',
      MAYFLY_LOG_LEVEL: 'DEBUG',
      MAYFLY_HTTP_HOST: '::1',
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_HTTP_PUBLIC_URL: 'https://mail.example.org:8443/',
      MAYFLY_HTTP_BASE_PATH: '/a/b.c/',
      MAYFLY_HTTP_HOSTS: 'mail.example.org,[::1]:8080,*',
      MAYFLY_HTTP_CORS_ORIGINS: 'https://app.example.org,chrome-extension://abc',
      MAYFLY_SMTP_HOSTNAME: 'mx.example.org',
      MAYFLY_SESSION_QUARANTINE_SECONDS: '0',
    });
    expect(config.general).toMatchObject({
      dataDir: '/srv/mail box',
      domains: ['example.org', 'xn--bcher-kva.example'],
      logLevel: 'debug',
    });
    expect(config.http).toMatchObject({
      host: '::1',
      port: 0,
      publicUrl: 'https://mail.example.org:8443',
      basePath: '/a/b.c',
      hosts: ['mail.example.org', '[::1]:8080', '*'],
      corsOrigins: ['https://app.example.org', 'chrome-extension://abc'],
    });
    expect(config.smtp.hostname).toBe('mx.example.org');
    expect(config.session.quarantineSeconds).toBe(0);
  });

  it('takes 0 of a limit for none, of each alone', () => {
    expect(loadConfig({ MAYFLY_LIMITS_SESSION_MESSAGES: '0' }).limits).toMatchObject({
      sessionMessages: Infinity,
      sessionBytes: 50_000_000,
    });
    expect(loadConfig({ MAYFLY_LIMITS_SESSION_BYTES: '00' }).limits.sessionBytes).toBe(Infinity);
    expect(loadConfig({ MAYFLY_SMTP_CONNECTIONS_MAX: '0' }).smtp.connectionsMax).toBe(Infinity);
  });

  it('says in the docs which limits 0 lifts', () => {
    const lifted = settings.filter(({ type }) => type.endsWith('; 0 = none')).map(({ name }) => name);
    for (const name of lifted) expect(JSON.stringify(loadConfig({ [name]: '0' }))).toContain('null');
    expect(lifted).toContain('MAYFLY_LIMITS_SESSION_MESSAGES');
  });

  it('is frozen through and through', () => {
    const config = loadConfig({ MAYFLY_DOMAINS: 'a.example' });
    expect(Object.isFrozen(config)).toBe(true);
    for (const area of Object.values(config)) {
      expect(Object.isFrozen(area)).toBe(true);
      for (const value of Object.values<unknown>(area)) expect(Object.isFrozen(value)).toBe(true);
    }
  });

  it('takes every default through its own check', () => {
    for (const area of Object.values(settingTree)) {
      for (const setting of Object.values(area)) expect(() => setting.parse(setting.fallback)).not.toThrow();
    }
  });
});

describe('settings', () => {
  it('have names of one form, each once, with their unit at the end of durations and sizes', () => {
    const names = settings.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^MAYFLY(?:_[A-Z]+)+$/);
    expect(names).toContain('MAYFLY_SESSION_LIFETIME_DEFAULT_SECONDS');
    expect(names).toContain('MAYFLY_SMTP_MESSAGE_MAX_BYTES');
  });

  it('say what they accept and why', () => {
    for (const { type, description } of settings) {
      expect(type).not.toBe('');
      expect(description).toMatch(/\.$/);
    }
  });
});

describe('a variable that is no setting', () => {
  it.each([
    ['MAYFLY_HTPP_PORT', 'MAYFLY_HTTP_PORT'],
    ['MAYFLY_HTTPPORT', 'MAYFLY_HTTP_PORT'],
    ['MAYFLY_SMTP_PROT', 'MAYFLY_SMTP_PORT'],
    ['MAYFLY_DOMAIN', 'MAYFLY_DOMAINS'],
    ['MAYFLY_DATA_DR', 'MAYFLY_DATA_DIR'],
    ['MAYFLY_STORE_ULR', 'MAYFLY_STORE_URL'],
    ['MAYFLY_LOGLEVEL', 'MAYFLY_LOG_LEVEL'],
    ['MAYFLY_SMTP_TLS_CERT', 'MAYFLY_SMTP_TLS_CERT_FILE'],
    ['MAYFLY_HTTP_LISTEN_PORT', 'MAYFLY_HTTP_PORT'],
    ['MAYFLY_SMPT_HOSTNAME', 'MAYFLY_SMTP_HOSTNAME'],
    ['MAYFLY_LIMITS_SESSION_MESAGES_MAX', 'MAYFLY_LIMITS_SESSION_MESSAGES'],
    ['mayfly_http_port', 'MAYFLY_HTTP_PORT'],
    ['MAYFY_HTTP_PORT', 'MAYFLY_HTTP_PORT'],
  ])('%s stops the start with the name of the nearest setting, %s', (name, meant) => {
    expect(refusalOf({ [name]: 'x' })).toBe(`${name} is not a setting; did you mean ${meant}?`);
  });

  it('is accepted, and reported by name, when it resembles no setting', () => {
    const environment = { MAYFLY_COLOUR: '1', MAYFLY_: '', MAYFLY_PORT: 'tcp://10.0.0.1:80' };
    expect(findUnknownVariables({ ...environment, NOT_MAYFLY_X: '', PATH: '/bin', M: '' })).toEqual([
      'MAYFLY_COLOUR',
      'MAYFLY_',
      'MAYFLY_PORT',
    ]);
    loadConfig(environment);
  });

  it('is accepted in silence when another program of this repository or an orchestrator sets it', () => {
    const environment = {
      MAYFLY_URL: 'x',
      MAYFLY_API_KEY: 'x',
      MAYFLY_TOKEN: 'x',
      MAYFLY_BIN: 'x',
      MAYFLY_MCP_SECRET: 'x',
      MAYFLY_TEST_CITUS_URL: 'x',
      MAYFLY_SERVICE_HOST: '10.0.0.1',
      MAYFLY_SERVICE_PORT_HTTP: '80',
      MAYFLY_PORT_8080_TCP_ADDR: '10.0.0.1',
      MAYFLY_HTTP_SERVICE_PORT: '80',
    };
    expect(findUnknownVariables(environment)).toEqual([]);
    loadConfig(environment);
  });

  it('resembles none of the others: every setting is known under its own name', () => {
    for (const { name } of settings) expect(findUnknownVariables({ [name]: '' })).toEqual([]);
  });
});
