// The settings of `mayfly dev`: the service's, with defaults for a developer's machine, and the variables of Mailpit's
// image (MP_…). Does not modify process.env; loadConfig reads the result.

import { isIP } from 'node:net';

import { devPorts } from './dev-ports.ts';
import { ConfigError } from './load-config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface DevOptions {
  readonly smtpPort?: number | undefined;
  readonly httpPort?: number | undefined;
  readonly host?: string | undefined;
  readonly dataDir: string;
}

export interface DevSettings {
  /** For loadConfig. */
  readonly environment: Environment;
  /** The logins accepted at SMTP. If undefined, any name may log in, and has its own capture session. */
  readonly mailpitAuth: MailpitAuth | undefined;
  /** Mailpit's variables that have no effect here. */
  readonly ignored: readonly string[];
}

/** The logins as in Mailpit, where all authenticated clients deliver to the single mailbox. */
export interface MailpitAuth {
  /** Passwords by name; undefined when any is accepted. */
  readonly accounts: ReadonlyMap<string, string> | undefined;
}

/** Mailpit's default. */
const messagesMax = '500';
const day = 86_400;

/** Used unless the environment sets them. */
const defaults = {
  MAYFLY_LOG_LEVEL: 'warn',
  // A library that is offered STARTTLS uses it, and then rejects the self-signed certificate.
  MAYFLY_SMTP_TLS: 'off',
  MAYFLY_SMTP_AUTH_INSECURE: 'on',
  // As Mailpit and MailHog do.
  MAYFLY_SMTP_BARE_LINE_FEED: 'keep',
  MAYFLY_DNS_SERVERS: 'none',
  MAYFLY_SESSION_LIFETIME_DEFAULT_SECONDS: String(7 * day),
  MAYFLY_SESSION_LIFETIME_MAX_SECONDS: String(30 * day),
  MAYFLY_SESSION_TOTAL_MAX_SECONDS: String(90 * day),
  MAYFLY_LIMITS_SESSION_MESSAGES: messagesMax,
  MAYFLY_LIMITS_SESSION_BYTES: '1000000000',
} as const;

/** Override the environment, which may be meant for another service on the same machine. */
const fixed = {
  MAYFLY_STORE_URL: 'sqlite:',
  MAYFLY_STORE_DIRECT_URL: '',
  MAYFLY_STORE_PASSWORD: '',
  MAYFLY_ROLES: '',
  MAYFLY_HTTP_PUBLIC_URL: '',
  // The root belongs to the dialects, none of which has a path like this.
  MAYFLY_HTTP_BASE_PATH: '/mayfly',
  MAYFLY_COMPAT_DEFAULT: 'on',
  MAYFLY_LIMITS_RATE: 'off',
  MAYFLY_SESSION_QUARANTINE_SECONDS: '0',
} as const;

const understood = new Set([
  'MP_MAX_MESSAGES',
  'MP_SMTP_AUTH',
  'MP_SMTP_AUTH_ACCEPT_ANY',
  'MP_SMTP_AUTH_ALLOW_INSECURE',
  'MP_SMTP_BIND_ADDR',
  'MP_UI_BIND_ADDR',
]);

/** @throws ConfigError that names a wrong MP_ variable */
export function readDevSettings(environment: Environment, options: DevOptions): DevSettings {
  const smtp = readBindAddress(environment, 'MP_SMTP_BIND_ADDR');
  const http = readBindAddress(environment, 'MP_UI_BIND_ADDR');
  const hostOf = (variable: string, bound: string | undefined): string =>
    options.host ?? bound ?? given(environment, variable) ?? '127.0.0.1';
  const sessionMessages = readMaxMessages(environment);
  const httpHost = hostOf('MAYFLY_HTTP_HOST', http?.host);
  const httpPort = String(options.httpPort ?? http?.port ?? devPorts.http);
  return {
    environment: {
      ...defaults,
      ...onlyGiven(environment),
      ...fixed,
      ...(sessionMessages === undefined ? {} : { MAYFLY_LIMITS_SESSION_MESSAGES: sessionMessages }),
      MAYFLY_DATA_DIR: options.dataDir,
      MAYFLY_SMTP_HOST: hostOf('MAYFLY_SMTP_HOST', smtp?.host),
      MAYFLY_SMTP_PORT: String(options.smtpPort ?? smtp?.port ?? devPorts.smtp),
      MAYFLY_HTTP_HOST: httpHost,
      MAYFLY_HTTP_PORT: httpPort,
      MAYFLY_COMPAT_HOST: httpHost,
      MAYFLY_COMPAT_PORT: httpPort,
      // There is one listener, so either setting is meant for it.
      MAYFLY_COMPAT_HOSTS:
        given(environment, 'MAYFLY_COMPAT_HOSTS') ?? given(environment, 'MAYFLY_HTTP_HOSTS'),
    },
    mailpitAuth: readMailpitAuth(environment),
    ignored: Object.keys(environment).filter((name) => name.startsWith('MP_') && !understood.has(name)),
  };
}

function given(environment: Environment, variable: string): string | undefined {
  const value = environment[variable]?.trim() ?? '';
  return value === '' ? undefined : value;
}

function onlyGiven(environment: Environment): Environment {
  const names = Object.keys(environment).filter((name) => name.startsWith('MAYFLY_'));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = given(environment, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

interface BindAddress {
  /** Absent when only a port is given, which means every interface, as in Mailpit. */
  readonly host: string;
  readonly port: number;
}

/** `0.0.0.0:1025`, `[::]:1025` or `:1025`. */
function readBindAddress(environment: Environment, variable: string): BindAddress | undefined {
  const value = given(environment, variable);
  if (value === undefined) return undefined;
  const [, inBrackets, plain = '', digits = ''] = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/.exec(value) ?? [];
  const host = inBrackets ?? (plain === '' ? '0.0.0.0' : plain);
  const isHost = inBrackets === undefined ? /^[a-z0-9.-]{1,255}$/i.test(host) : isIP(host) === 6;
  const port = Number(digits);
  if (!isHost || digits === '' || port > 65_535) {
    throw wrong(variable, 'an address and a port such as 0.0.0.0:1025', value);
  }
  return { host, port };
}

/** Per session; 0 for no limit. */
function readMaxMessages(environment: Environment): string | undefined {
  const value = given(environment, 'MP_MAX_MESSAGES');
  if (value === undefined || (/^\d{1,7}$/.test(value) && Number(value) <= 1_000_000)) return value;
  throw wrong('MP_MAX_MESSAGES', 'a whole number from 0 to 1000000; 0 = none', value);
}

/** Reads the logins. `MP_SMTP_AUTH_ALLOW_INSECURE` enables AUTH without TLS, which `mayfly dev` always offers. */
function readMailpitAuth(environment: Environment): MailpitAuth | undefined {
  const accounts = readAccounts(environment);
  const acceptsAny = readFlag(environment, 'MP_SMTP_AUTH_ACCEPT_ANY');
  readFlag(environment, 'MP_SMTP_AUTH_ALLOW_INSECURE');
  if (accounts && acceptsAny) {
    throw new ConfigError('MP_SMTP_AUTH and MP_SMTP_AUTH_ACCEPT_ANY exclude each other.');
  }
  return accounts || acceptsAny ? { accounts } : undefined;
}

/** `user:password`, several separated by spaces. */
function readAccounts(environment: Environment): ReadonlyMap<string, string> | undefined {
  const value = given(environment, 'MP_SMTP_AUTH');
  if (value === undefined) return undefined;
  const pairs = value.split(/\s+/).map((pair) => /^([^:]+):(.+)$/.exec(pair));
  return new Map(
    pairs.map((pair) => {
      const [, name, password] = pair ?? [];
      if (name === undefined || password === undefined) {
        throw new ConfigError('MP_SMTP_AUTH must be user:password, several separated by spaces.');
      }
      return [name, password];
    }),
  );
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'on'].map((word): [string, boolean] => [word, true]),
  ...['0', 'false', 'no', 'off'].map((word): [string, boolean] => [word, false]),
]);

function readFlag(environment: Environment, variable: string): boolean {
  const value = given(environment, variable);
  if (value === undefined) return false;
  const flag = flags.get(value.toLowerCase());
  if (flag === undefined) throw wrong(variable, 'true or false', value);
  return flag;
}

function wrong(variable: string, expected: string, value: string): ConfigError {
  return new ConfigError(`${variable} must be ${expected}, but is ${JSON.stringify(value.slice(0, 100))}.`);
}
