// Settings of TLS and authentication over SMTP, for the area `smtp` of settings.ts.

import { oneOf, text } from './setting.ts';

/** Merged into the area `smtp`. */
export const smtpSecuritySettings = {
  tls: oneOf(
    ['on', 'off'],
    'on',
    'Whether STARTTLS is offered (RFC 3207). With the self-signed certificate it is not offered on loopback, where ' +
      'mail libraries would refuse it.',
  ),
  tlsCertFile: text(
    '',
    'Certificate chain in PEM, reloaded when it changes. Empty: a self-signed one is made.',
  ),
  tlsKeyFile: text('', 'Private key of the certificate, in PEM.'),
  authInsecure: oneOf(
    ['off', 'on'],
    'off',
    'Whether capture sessions may authenticate in the clear (RFC 4954) from anywhere. Off: over TLS and from loopback ' +
      'alone, since a password in the clear can be read on its way.',
  ),
};
