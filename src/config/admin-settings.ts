// Settings of the operator's listener: the area `admin` of settings.ts.

import { isIP } from 'node:net';

import { parseDomainName } from '../domain/address.ts';
import { checked, list, text } from './setting.ts';

export const adminSettings = {
  host: checked(
    text(
      '127.0.0.1',
      "Address that the operator's listener listens on. Loopback unless a network guards it.",
    ),
    'an IP address or a host name',
    (value) => (isIP(value) !== 0 || parseDomainName(value) !== undefined ? value : undefined),
  ),
  port: checked(
    text(
      'off',
      "Port of the operator's listener, which serves `/admin`, the admin API and `/metrics`; 8081 is usual, 0 takes a " +
        'free one. It takes an admin key to do anything there (`mayfly key add NAME --admin`).',
    ),
    'off, or a port from 0 to 65535',
    parseAdminPort,
  ),
  hosts: checked(
    list(
      '',
      'Hosts accepted in `Host` there, `*` for any. Empty: on loopback IP literals and localhost names; else any.',
    ),
    'comma separated hosts such as mail.example.org or mail.example.org:8080, or *',
    (hosts) =>
      hosts.every(
        (host) => host === '*' || /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255})(?::\d{1,5})?$/i.test(host),
      )
        ? hosts
        : undefined,
  ),
};

function parseAdminPort(text: string): number | 'off' | undefined {
  if (text.toLowerCase() === 'off') return 'off';
  const number = Number(text);
  return /^\d{1,5}$/.test(text) && number <= 65_535 ? number : undefined;
}
