// Settings of SMTP: the area `smtp` of settings.ts.

import { isIP } from 'node:net';

import { parseDomainName } from '../../mail-receiver/src/address.ts';
import { listenHost } from './listen-settings.ts';
import { checked, duration, integer, limit, list, oneOf, port, text } from '../../values/src/setting.ts';

const hostname = checked(
  text('', 'Name in the banner and the Received field. Empty: the name of the machine.'),
  'a host name',
  (value) => (value === '' || parseDomainName(value) !== undefined ? value : undefined),
);

const proxyAddresses = checked(
  list('', 'Addresses of load balancers that begin each connection with a PROXY header, v1 or v2.'),
  'comma separated IP addresses',
  (addresses) => (addresses.every((address) => isIP(address) !== 0) ? addresses : undefined),
);

export const smtpSettings = {
  host: listenHost('Address that SMTP listens on.'),
  port: port(2525, 'Port of SMTP; 0 picks a free one. The Internet delivers to 25.'),
  hostname,
  messageMaxBytes: integer(
    { min: 64 * 1024, max: 256 * 1024 * 1024 },
    36 * 1024 * 1024,
    'Largest message, announced as SIZE (RFC 1870). 36 MiB carry a 25 MB file in base64.',
  ),
  connectionsMax: limit(100_000, 2000, 'Most SMTP connections at once; further ones get 421.'),
  connectionsPerAddressMax: limit(
    100_000,
    20,
    'Most connections at once from one IPv4 address or IPv6 /64; further ones get 421 4.7.0.',
  ),
  connectionsPerSiteMax: limit(
    100_000,
    200,
    'Most connections at once from one IPv4 /24 or IPv6 /48; further ones get 421 4.7.0.',
  ),
  connectsPerMinute: limit(
    1_000_000,
    60,
    'Connections a minute from one IPv4 address or IPv6 /64; ten times as many from one IPv4 /24 or IPv6 /48. Not ' +
      'for peers on loopback, unless they are proxies in MAYFLY_SMTP_PROXY_ADDRESSES.',
  ),
  messagesPerMinute: limit(
    10_000_000,
    600,
    'Messages a minute from one IPv4 address or IPv6 /64. Not for peers on loopback, unless they are proxies in ' +
      'MAYFLY_SMTP_PROXY_ADDRESSES.',
  ),
  badCommandsMax: limit(10_000, 10, 'Wrong commands after which a connection gets 421.'),
  unknownRecipientsMax: limit(
    10_000,
    20,
    'Unknown recipients after which a connection gets 421, so that guessing addresses is slow.',
  ),
  unknownRecipientsPerMinute: limit(
    1_000_000,
    60,
    'Unknown recipients a minute from one IPv4 address or IPv6 /64, ten times as many from one IPv4 /24 or IPv6 /48; ' +
      'beyond that every recipient from there gets 450 4.7.1, known or not.',
  ),
  inFlightMaxBytes: limit(
    2 ** 44,
    4 * 1024 ** 3,
    'Bytes received of all incomplete messages; further ones get 452. One IPv4 address or IPv6 /64 may have ' +
      'at most an eighth of it, one IPv4 /24 or IPv6 /48 a quarter, and one message is always accepted. The part beyond ' +
      '128 KiB per message is on disk, not in memory.',
  ),
  bareLineFeed: oneOf(
    ['refuse', 'normalize', 'keep'],
    'refuse',
    'How a line that ends in LF without CR is treated: the message is refused with 550 5.6.11 and a command with 500, ' +
      'or the CR is inserted; then a line of a message may also end in CR CR LF, which is read as CR LF. `keep` does the ' +
      'latter and accepts messages with LF or CR alone as they are, which is only for tests. Only CR LF . CR LF ends a message in any case.',
  ),
  tls: oneOf(
    ['on', 'off'],
    'on',
    'Whether STARTTLS is offered (RFC 3207). With the self-signed certificate it is not offered on loopback, where ' +
      'mail libraries would refuse it.',
  ),
  tlsCertFile: text(
    '',
    'Certificate chain in PEM, reloaded when it changes. Empty: that of HTTPS, or a self-signed one is created.',
  ),
  tlsKeyFile: text('', 'Private key of the certificate, in PEM.'),
  mtaSts: oneOf(
    ['off', 'testing', 'enforce'],
    'off',
    'Policy served at `/.well-known/mta-sts.txt` by which senders insist on TLS with a valid certificate (RFC 8461), for ' +
      'the exchange MAYFLY_SMTP_HOSTNAME. With it, the certificate from an ACME server is also for `mta-sts.` before each ' +
      'domain.',
  ),
  authInsecure: oneOf(
    ['off', 'on'],
    'off',
    'Whether capture sessions may authenticate without TLS (RFC 4954) from anywhere. Off: only over TLS and from loopback, ' +
      'since a password in the clear can be intercepted.',
  ),
  proxyAddresses,
  recipientsMax: integer(
    { min: 100, max: 10_000 },
    100,
    'Recipients in one transaction (RFC 5321 §4.5.3.1.8).',
  ),
  idleTimeoutSeconds: duration(
    { min: 1, max: 3600 },
    300,
    'Silence that ends a connection (RFC 5321 §4.5.3.2.7).',
  ),
};
