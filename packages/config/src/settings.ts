// Defines every setting. The variable's name follows from its place: http.basePath is MAYFLY_HTTP_BASE_PATH.
// docs/configuration.md is generated from this file. Read only by load-config.ts.

import { isIP } from 'node:net';

import { chatFormats } from '../../notifications/src/chat-formats.ts';
import { ownDomainMaxOctets } from '../../mail-receiver/src/address.ts';
import { parseWrittenDomain } from '../../mail-receiver/src/ascii-domain.ts';
import { httpAccessSettings, liveAddressSettings, rateSettings } from './access-settings.ts';
import { gmailSettings, secretSettings } from './gmail-settings.ts';
import { acceptedHosts, adminSettings, compatSettings, listenHost } from './listen-settings.ts';
import { pushSettings } from './push-settings.ts';
import {
  checked,
  duration,
  integer,
  limit,
  list,
  milliseconds,
  oneOf,
  port,
  text,
  type Setting,
} from '../../values/src/setting.ts';
import { smtpSettings } from './smtp-settings.ts';
import { rolesSetting, storeSettings } from './store-settings.ts';
import { acmeSettings, httpTlsSettings } from './tls-settings.ts';
import { tracesSettings } from './traces-settings.ts';

const day = 86_400;

const basePath = checked(
  text('', 'Path under which everything is served, for a reverse proxy that shares a host, e.g. `/mail`.'),
  'a path such as /mail',
  (value) => {
    const path = value.replace(/\/+$/, '');
    const isPath = /^(?:\/[A-Za-z0-9._~-]+)+$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path);
    return path === '' || isPath ? path : undefined;
  },
);

const publicUrl = checked(
  text(
    '',
    'Origin under which people reach the service; its host is accepted in `Host` unless MAYFLY_HTTP_HOSTS is set.',
  ),
  'an http or https origin such as https://mail.example.org, or empty',
  (value) => {
    const isWebOrigin = /^https?:\/\/[^/?#@\s]+\/?$/i.test(value) && URL.canParse(value);
    return value === '' || isWebOrigin ? value.replace(/\/$/, '') : undefined;
  },
);

const corsOrigins = checked(
  list('', 'Origins whose pages may call the interface from a browser, `*` for any. None by default.'),
  'comma separated origins such as https://app.example.org, or *',
  (origins) => (origins.every((origin) => origin === '*' || isOrigin(origin)) ? origins : undefined),
);

/** Any scheme: browser extensions and apps have their own. */
function isOrigin(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(text);
}

const domainNames = checked(
  list('', 'Domains to add at the first start. Add later ones with `mayfly domain add`.'),
  'comma separated domain names',
  (names) => {
    const domains = names.map(parseWrittenDomain);
    return domains.every((name) => name !== undefined && name.length <= ownDomainMaxOctets)
      ? Object.freeze(domains as string[])
      : undefined;
  },
);

const webhookUrl = {
  ...checked(
    text(
      '',
      "URL that receives every session's events. Empty: none. Needs MAYFLY_WEBHOOKS_SECRET, unless it is a chat service's.",
    ),
    'an http or https URL, or empty',
    (value) => (value === '' || (/^https?:\/\//i.test(value) && URL.canParse(value)) ? value : undefined),
  ),
  // That of a chat service lets anyone write there.
  isSecret: true,
} as const;

const webhookSecrets = {
  ...checked(
    list(
      '',
      'Secrets that sign requests to MAYFLY_WEBHOOKS_URL; during a rotation the new one and the old one.',
    ),
    'one to three secrets: `whsec_` and base64 of 24 to 64 bytes, comma separated',
    (secrets) => (secrets.length <= 3 && secrets.every(isWebhookSecret) ? secrets : undefined),
  ),
  isSecret: true,
} as const;

function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] ?? '';
  const { length } = Buffer.from(encoded, 'base64');
  return length >= 24 && length <= 64;
}

const webhookSchemes = checked(
  list('https,http', 'Schemes of the URLs that sessions may set.'),
  'https, http or both',
  (names) => {
    const schemes = names.filter((name) => name === 'https' || name === 'http');
    return schemes.length === names.length && schemes.length > 0 ? Object.freeze(schemes) : undefined;
  },
);

const webhookPorts = checked(
  list('80,443', 'Ports of the URLs that sessions may set.'),
  'comma separated ports',
  (texts) => {
    const ports = texts.map(Number);
    const areFine =
      texts.every((one) => /^\d{1,5}$/.test(one)) && ports.every((one) => one > 0 && one < 65536);
    return areFine ? Object.freeze(ports) : undefined;
  },
);

const webhookHosts = checked(
  list(
    '',
    'Hosts, addresses and blocks such as `10.1.0.0/16` that sessions may send to although they are not on the ' +
      'Internet. Every other private, local or special address is refused.',
  ),
  'comma separated hosts, addresses and blocks',
  (entries) =>
    entries.every((entry) => /^[0-9a-z:._-]{1,255}(?:\/\d{1,3})?$/i.test(entry)) ? entries : undefined,
);

const dnsServers = checked(
  list(
    '',
    'Name servers queried for SPF, DKIM, DMARC and ARC. Empty: those of the machine. `none`: no queries, and ' +
      'read-mail answers null for each.',
  ),
  'comma separated addresses such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:53, or none',
  (servers) => (servers.every(isNameServer) || servers.join() === 'none' ? servers : undefined),
);

function isNameServer(text: string): boolean {
  const [, inBrackets, plain, portText] = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const number = Number(portText ?? 53);
  if (number < 1 || number > 65535) return false;
  return isIP(text) !== 0 || isIP(inBrackets ?? '') === 6 || isIP(plain ?? '') === 4;
}

export const settingTree = {
  general: {
    dataDir: text(
      './data',
      'Folder of the store, the lock and the control socket. Created with mode 0700 if absent.',
    ),
    settingsFile: text(
      '',
      'File of settings, `NAME=VALUE` a line, read once at the start; the environment wins. `mayfly settings` names it beside what it sets.',
    ),
    domains: domainNames,
    roles: rolesSetting,
    diskFloorBytes: integer(
      { min: 0, max: 2 ** 50 },
      200_000_000,
      'Free space of the data folder below which no more mail is accepted (452 4.3.1). Reading and deleting continue.',
    ),
    logLevel: oneOf(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'info',
      'Least severe log line written to standard error.',
    ),
  },
  store: storeSettings,
  http: {
    host: listenHost('Address that HTTP listens on. Loopback until the operator decides otherwise.'),
    port: port(8080, 'Port of HTTP; 0 picks a free one.'),
    ...httpTlsSettings,
    publicUrl,
    basePath,
    hosts: acceptedHosts(
      'Hosts accepted in `Host`, `*` for any. Empty: on loopback IP literals, localhost names and the host of ' +
        '`MAYFLY_HTTP_PUBLIC_URL`, which stops DNS rebinding; else any.',
    ),
    corsOrigins,
    imageProxy: oneOf(
      ['off', 'on'],
      'off',
      'Whether the service fetches the remote images of a message when a reader requests them, so that the sender does ' +
        'not learn the address of the reader. Off: the browser fetches them.',
    ),
    webApp: oneOf(
      ['on', 'off'],
      'on',
      'Whether browsers get the web page at the base path. Off: every client gets JSON there.',
    ),
    bodyMaxBytes: integer(
      { min: 1024, max: 256 * 1024 },
      64 * 1024,
      'Largest request body. Requests are a few parameters.',
    ),
    ...httpAccessSettings,
  },
  acme: acmeSettings,
  admin: adminSettings,
  compat: compatSettings,
  smtp: smtpSettings,
  session: {
    lifetimeDefaultSeconds: duration(
      { min: 1, max: 7 * day },
      3600,
      'Lifetime of a session when the caller gives none; at most the longest that a caller may request.',
    ),
    lifetimeMinSeconds: duration(
      { min: 1, max: 7 * day },
      60,
      'Shortest lifetime that a caller may request.',
    ),
    lifetimeMaxSeconds: duration(
      { min: 1, max: 30 * day },
      day,
      'Longest lifetime that a caller may request at once.',
    ),
    totalMaxSeconds: duration(
      { min: 1, max: 90 * day },
      7 * day,
      'Longest lifetime of a session with its extensions.',
    ),
    quarantineSeconds: duration(
      { min: 0, max: 3650 * day },
      30 * day,
      'How long an address stays in quarantine after its session, for domains added without a value of their own. No new ' +
        'holder then receives mail meant for the last one.',
    ),
  },
  limits: {
    rate: oneOf(
      ['on', 'off'],
      'on',
      '`off` lifts all rates and all per-address caps, for tests and trusted networks.',
    ),
    ...rateSettings,
    sessionMessages: limit(1_000_000, 100, 'Most messages in a session; further mail gets 452 4.2.2.'),
    sessionBytes: limit(2 ** 40, 50_000_000, 'Most raw bytes in a session; further mail gets 452 4.2.2.'),
    operatorMessages: limit(1_000_000, 1000, 'Most messages to postmaster and abuse kept for the operator.'),
    operatorBytes: limit(
      2 ** 40,
      100_000_000,
      'Most bytes of them; further mail to these addresses gets 452 4.2.2.',
    ),
  },
  live: {
    streamsPerSessionMax: limit(1000, 3, 'Event streams open at once for one session; further ones get 429.'),
    waitsPerSessionMax: limit(1000, 10, 'Requests of one session that wait for mail at once.'),
    readersMax: limit(
      1_000_000,
      20_000,
      'Event streams and waiting requests in total; further ones get 503. Each uses a file descriptor.',
    ),
    ...liveAddressSettings,
  },
  webhooks: {
    url: webhookUrl,
    secret: webhookSecrets,
    payload: oneOf(
      ['summary', 'full'],
      'summary',
      'Content of a message in a webhook: as listed by check-mail, or as returned by read-mail. Whole messages go to ' +
        'MAYFLY_WEBHOOKS_URL and to hosts in MAYFLY_WEBHOOKS_ALLOWED_HOSTS.',
    ),
    format: oneOf(
      ['standard', ...chatFormats],
      'standard',
      'What MAYFLY_WEBHOOKS_URL is sent: signed events, or of new mail a message in the form of a chat service, with code ' +
        'and link on top, and the text only with MAYFLY_WEBHOOKS_PAYLOAD=full.',
    ),
    sessions: oneOf(['off', 'on'], 'off', 'Whether sessions may have a `webhook_url` of their own.'),
    schemes: webhookSchemes,
    ports: webhookPorts,
    allowedHosts: webhookHosts,
    endpointsPerHostMax: limit(1_000_000, 20, 'Live sessions that may send to one host.'),
    queuePerEndpointMax: limit(
      10_000_000,
      10_000,
      'Events queued for one endpoint; further ones are not sent, but remain in the session’s log.',
    ),
  },
  push: pushSettings,
  gmail: gmailSettings,
  secret: secretSettings,
  traces: tracesSettings,
  dns: {
    servers: dnsServers,
    timeoutMs: milliseconds(
      { min: 100, max: 10_000 },
      2000,
      'Time for all look-ups of one message together; results not known by then are `temperror`.',
    ),
  },
  parse: {
    timeoutMs: milliseconds(
      { min: 100, max: 60_000 },
      2000,
      'Processor time for parsing one message; after that it is given up until the message is read again.',
    ),
    workers: integer(
      { min: 1, max: 16 },
      2,
      'Threads that parse messages for reading; one network never has all of them unless there is only one.',
    ),
    idleSeconds: duration(
      { min: 1, max: day },
      30,
      'Time after which idle readers end; one is kept for live sessions.',
    ),
  },
} as const satisfies Record<string, Record<string, Setting<unknown>>>;

type SettingTree = typeof settingTree;

/** The values of one area, e.g. `ConfigOf<'http'>`. Names include the unit of durations and sizes. */
export type ConfigOf<Area extends keyof SettingTree> = {
  readonly [Name in keyof SettingTree[Area]]: SettingTree[Area][Name] extends Setting<infer T> ? T : never;
};

export type Config = { readonly [Area in keyof SettingTree]: ConfigOf<Area> };

/** Converts `http`, `basePath` to `MAYFLY_HTTP_BASE_PATH`; the area `general` adds nothing to the name. */
export function variableName(area: string, name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  return area === 'general' ? `MAYFLY_${words}` : `MAYFLY_${area.toUpperCase()}_${words}`;
}

/** Every setting in order, for the docs and for detecting unknown variables. */
export const settings = Object.entries(settingTree).flatMap(([area, tree]) =>
  Object.entries<Setting<unknown>>(tree).map(([name, setting]) => ({
    area,
    name: variableName(area, name),
    type: setting.type,
    default: setting.fallback,
    description: setting.description,
    isSecret: setting.isSecret ?? false,
    show: setting.show,
  })),
);
