// Settings of listeners: those that several have in common, and the areas `admin` and `compat` of settings.ts.

import { isIP } from 'node:net';

import { parseDomainName } from '../../mail-receiver/src/address.ts';
import { toParty } from '../../passkeys/src/page-origin.ts';
import { checked, list, oneOf, type Setting, text } from '../../values/src/setting.ts';

export function listenHost(description: string): Setting<string> {
  return checked(text('127.0.0.1', description), 'an IP address or a host name', (value) =>
    isIP(value) !== 0 || parseDomainName(value) !== undefined ? value : undefined,
  );
}

function portOrOff(description: string): Setting<number | 'off'> {
  return checked(text('off', description), 'off, or a port from 0 to 65535', (value) => {
    if (value.toLowerCase() === 'off') return 'off';
    const number = Number(value);
    return /^\d{1,5}$/.test(value) && number <= 65_535 ? number : undefined;
  });
}

export function acceptedHosts(description: string): Setting<readonly string[]> {
  return checked(
    list('', description),
    'comma separated hosts such as mail.example.org or mail.example.org:8080, or *',
    (hosts) => (hosts.every((host) => host === '*' || isHost(host)) ? hosts : undefined),
  );
}

function isHost(text: string): boolean {
  return /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255})(?::\d{1,5})?$/i.test(text);
}

/** The operator's listener. */
export const adminSettings = {
  host: listenHost("Address that the operator's listener listens on. Loopback unless a network guards it."),
  port: portOrOff(
    "Port of the operator's listener, which serves `/admin`, the admin API and `/metrics`; 8081 is usual, 0 picks a " +
      'free one. The page and the API need an admin key (`mayfly key add NAME --admin`).',
  ),
  hosts: acceptedHosts(
    'Hosts accepted in `Host` there, `*` for any. Empty: on loopback IP literals, localhost names and the host of ' +
      'MAYFLY_ADMIN_PUBLIC_URL; else any.',
  ),
  publicUrl: checked(
    text(
      '',
      'Origin under which administrators reach the page, behind a proxy such as `https://ops.example.org`. Passkeys are ' +
        'bound to it. Empty: `http://localhost` with the port, if the listener is on loopback.',
    ),
    'an https origin with a host name, such as https://ops.example.org, http for localhost, or empty',
    (value) => (value === '' ? value : toParty(value)?.origin),
  ),
};

const senders = ['brevo', 'mailgun', 'postmark', 'resend', 'sendgrid', 'ses'];

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** URLs by sender. */
const senderEvents = {
  ...checked(
    list(
      '',
      "URLs that receive a sender's delivery events of mail sent through its dialect ([senders](senders.md)), such as " +
        '`resend=http://127.0.0.1:3000/hooks`. The first of MAYFLY_WEBHOOKS_SECRET signs them.',
    ),
    `comma separated SENDER=URL, with a sender of ${senders.join(', ')} and an http or https URL`,
    (entries) => {
      const pairs = entries.map((entry): readonly [sender: string, url: string] => {
        const equals = entry.indexOf('=');
        return [entry.slice(0, equals), entry.slice(equals + 1)];
      });
      const areValid = pairs.every(([sender, url]) => senders.includes(sender) && isHttpUrl(url));
      return areValid ? Object.freeze(pairs) : undefined;
    },
  ),
  isSecret: true,
} as const;

/** The listener for other services' dialects. */
export const compatSettings = {
  host: listenHost("Address that the listener for other services' dialects listens on."),
  port: portOrOff(
    "Port of the listener that speaks other services' dialects ([compat](compat/README.md)), such as Mailpit's; 8025 " +
      'is usual, 0 picks a free one.',
  ),
  hosts: acceptedHosts(
    'Hosts accepted in `Host` there, `*` for any. Empty: on loopback IP literals and localhost names; else any. With ' +
      'MAYFLY_COMPAT_DEFAULT, IP literals, localhost names and names without a dot are accepted, and these hosts too.',
  ),
  default: oneOf(
    ['off', 'on'],
    'off',
    'Whether a request there without credentials is for one standing capture session that all clients share, as tests ' +
      'on one machine expect. Not together with MAYFLY_HTTP_PUBLIC_URL.',
  ),
  senderEvents,
};
