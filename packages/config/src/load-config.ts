// Reads the environment into a frozen typed Config. Called once by main.ts, the only reader of process.env; other code
// receives the part it needs. An invalid value throws ConfigError with one line that names the variable.

import { messageOf } from '../../system-errors/src/error-message.ts';
import { chatUrlFault } from '../../notifications/src/chat-formats.ts';
import { formatDuration } from '../../values/src/duration.ts';
import { findUnknownNames, type UnknownVariable } from '../../values/src/unknown-names.ts';
import { type Config, type ConfigOf, settings, settingTree, variableName } from './settings.ts';
import type { Setting } from '../../values/src/setting.ts';
import { usualNames } from './tls-settings.ts';

/** An invalid setting. `message` is one line for the operator, without secret values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

function readArea(area: string, tree: Record<string, Setting<unknown>>, environment: Environment): object {
  const values = Object.entries(tree).map(([name, setting]) => {
    const variable = variableName(area, name);
    const given = environment[variable]?.trim() ?? '';
    try {
      return [name, setting.parse(given === '' ? setting.fallback : given)];
    } catch (error) {
      const found = setting.isSecret ? 'something else' : JSON.stringify(given.slice(0, 100));
      throw new ConfigError(`${variable} ${messageOf(error)}, but is ${found}.`);
    }
  });
  return Object.freeze(Object.fromEntries(values) as object);
}

function checkWebhooks({ url, secret, format }: Config['webhooks']): void {
  if (url === '') {
    if (format === 'standard') return;
    throw new ConfigError('MAYFLY_WEBHOOKS_URL must be set when MAYFLY_WEBHOOKS_FORMAT is.');
  }
  if (format === 'standard') {
    if (secret.length > 0) return;
    throw new ConfigError('MAYFLY_WEBHOOKS_SECRET must be set when MAYFLY_WEBHOOKS_URL is.');
  }
  const fault = chatUrlFault(format, url);
  if (fault !== undefined) throw new ConfigError(`MAYFLY_WEBHOOKS_URL ${fault}.`);
}

function checkTogether(config: Config): void {
  const { session, smtp, store, webhooks, secret, compat, http } = config;
  checkTls(config);
  if ((smtp.tlsCertFile === '') !== (smtp.tlsKeyFile === '')) {
    throw new ConfigError('MAYFLY_SMTP_TLS_CERT_FILE and MAYFLY_SMTP_TLS_KEY_FILE must be set together.');
  }
  checkWebhooks(webhooks);
  if (compat.senderEvents.length > 0 && webhooks.secret.length === 0) {
    throw new ConfigError('MAYFLY_WEBHOOKS_SECRET must be set when MAYFLY_COMPAT_SENDER_EVENTS is.');
  }
  if (secret.key !== '' && secret.keyFile !== '') {
    throw new ConfigError('MAYFLY_SECRET_KEY and MAYFLY_SECRET_KEY_FILE exclude each other.');
  }
  if (store.directUrl !== '' && store.url.startsWith('sqlite:')) {
    throw new ConfigError('MAYFLY_STORE_DIRECT_URL needs a PostgreSQL database in MAYFLY_STORE_URL.');
  }
  checkPassword(store);
  if (compat.default === 'on' && http.publicUrl !== '') {
    throw new ConfigError('MAYFLY_COMPAT_DEFAULT and MAYFLY_HTTP_PUBLIC_URL exclude each other.');
  }
  checkLifetimes(session);
}

function checkLifetimes({
  lifetimeMinSeconds: min,
  lifetimeMaxSeconds,
  totalMaxSeconds,
}: Config['session']): void {
  const longest = {
    MAYFLY_SESSION_LIFETIME_MAX_SECONDS: lifetimeMaxSeconds,
    MAYFLY_SESSION_TOTAL_MAX_SECONDS: totalMaxSeconds,
  };
  for (const [name, max] of Object.entries(longest)) {
    if (min <= max) continue;
    const shown = `${formatDuration(min)} and above ${name}, ${formatDuration(max)}`;
    throw new ConfigError(`MAYFLY_SESSION_LIFETIME_MIN_SECONDS is ${shown}.`);
  }
}

function checkPassword({ password, url, directUrl }: ConfigOf<'store'>): void {
  if (password === '') return;
  if (url.startsWith('sqlite:')) {
    throw new ConfigError('MAYFLY_STORE_PASSWORD needs a PostgreSQL database in MAYFLY_STORE_URL.');
  }
  if ([url, directUrl].some((one) => one !== '' && new URL(one).password !== '')) {
    throw new ConfigError(
      'MAYFLY_STORE_PASSWORD and a password in a URL of the database exclude each other.',
    );
  }
}

/** Puts the password into the URLs of the database, with blanks at its ends too. */
function withPassword(store: ConfigOf<'store'>, password: string): ConfigOf<'store'> {
  if (store.password === '') return store;
  const complete = (url: string): string => {
    if (url === '') return url;
    const parsed = new URL(url);
    parsed.password = encodeURIComponent(password);
    if (parsed.password === '') {
      throw new ConfigError('MAYFLY_STORE_PASSWORD needs a host in the URL of the database.');
    }
    return parsed.href;
  };
  return Object.freeze({ ...store, url: complete(store.url), directUrl: complete(store.directUrl) });
}

function checkTls({ http, smtp, acme }: Config): void {
  if ((http.tlsCertFile === '') !== (http.tlsKeyFile === '')) {
    throw new ConfigError('MAYFLY_HTTP_TLS_CERT_FILE and MAYFLY_HTTP_TLS_KEY_FILE must be set together.');
  }
  if (smtp.mtaSts !== 'off' && (smtp.hostname === '' || smtp.tls === 'off')) {
    throw new ConfigError(
      'MAYFLY_SMTP_MTA_STS needs MAYFLY_SMTP_HOSTNAME, the name in MX, and MAYFLY_SMTP_TLS on.',
    );
  }
  if (http.tls === 'off') return;
  if (/^http:/i.test(http.publicUrl)) {
    throw new ConfigError('MAYFLY_HTTP_PUBLIC_URL must begin with https: MAYFLY_HTTP_TLS is on.');
  }
  if (http.tls === 'files' && http.tlsCertFile === '' && smtp.tlsCertFile === '') {
    throw new ConfigError('MAYFLY_HTTP_TLS_CERT_FILE must be set when MAYFLY_HTTP_TLS is files.');
  }
  if (http.tls === 'acme') checkAcme({ http, smtp, acme });
}

function checkAcme({ http, smtp, acme }: Pick<Config, 'http' | 'smtp' | 'acme'>): void {
  if (acme.names.length === 0 && usualNames({ http, smtp }).length === 0) {
    throw new ConfigError(
      'MAYFLY_HTTP_PUBLIC_URL or MAYFLY_ACME_NAMES must name a public host: MAYFLY_HTTP_TLS is acme.',
    );
  }
  if ((acme.eabKeyId === '') !== (acme.eabKey === '')) {
    throw new ConfigError('MAYFLY_ACME_EAB_KEY_ID and MAYFLY_ACME_EAB_KEY must be set together.');
  }
  if (http.redirectPort === 'off' && !acme.challenges.includes('tls-alpn-01')) {
    throw new ConfigError('MAYFLY_ACME_CHALLENGES is http-01, which needs MAYFLY_HTTP_REDIRECT_PORT.');
  }
}

/** @throws ConfigError for a variable that was meant to be a setting */
export function refuseMisspelt(environment: Environment): void {
  for (const { name, meant } of findUnknown(environment)) {
    if (meant !== undefined) throw new ConfigError(`${name} is not a setting; did you mean ${meant}?`);
  }
}

/** Returns variables that begin with MAYFLY_ and resemble no setting. */
export function findUnknownVariables(environment: Environment): string[] {
  return findUnknown(environment).flatMap(({ name, meant }) => (meant === undefined ? [name] : []));
}

/** Variables of other programs of this repository, which may share the service's environment. */
const ofOthers = /^MAYFLY_(?:URL|API_KEY|TOKEN|WORKER|BIN|MCP_SECRET|TEST_\w+)$/;
/** Variables that Kubernetes and Docker's links set for a service called `mayfly` or `mayfly-http`. */
const ofOrchestrator =
  /^MAYFLY_(?:\w+_)?(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;

function findUnknown(environment: Environment): UnknownVariable[] {
  return findUnknownNames(Object.keys(environment), {
    prefix: 'MAYFLY_',
    settings: settings.map(({ name }) => name),
    foreign: [ofOthers, ofOrchestrator],
  });
}

/**
 * Reads and validates the whole configuration.
 * @throws ConfigError
 */
export function loadConfig(environment: Environment): Config {
  refuseMisspelt(environment);
  const areas = Object.entries(settingTree).map(([area, tree]) => [area, readArea(area, tree, environment)]);
  const config = Object.fromEntries(areas) as Config;
  checkTogether(config);
  const store = withPassword(config.store, environment['MAYFLY_STORE_PASSWORD'] ?? '');
  return Object.freeze({ ...config, store });
}
