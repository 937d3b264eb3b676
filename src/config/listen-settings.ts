// Settings common to several listeners: address, a port that may be off, and accepted hosts. Used by settings.ts and
// the files of its areas.

import { isIP } from 'node:net';

import { parseDomainName } from '../domain/address.ts';
import { checked, list, type Setting, text } from './setting.ts';

export function listenHost(description: string): Setting<string> {
  return checked(text('127.0.0.1', description), 'an IP address or a host name', (value) =>
    isIP(value) !== 0 || parseDomainName(value) !== undefined ? value : undefined,
  );
}

export function portOrOff(description: string): Setting<number | 'off'> {
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
