// Settings of HTTPS and of the certificate from an ACME server, for settings.ts.

import { isIP } from 'node:net';

import { parseDomainName } from '../../mail-receiver/src/address.ts';
import { checked, list, oneOf, type Setting, text } from '../../values/src/setting.ts';

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';
const letsEncryptStaging = 'https://acme-staging-v02.api.letsencrypt.org/directory';

function url(fallback: string, description: string, others: readonly string[] = []): Setting<string> {
  const type = ['an https URL', ...others].join(' or ');
  return checked(text(fallback, description), type, (value) => {
    const isUrl = /^https:\/\//i.test(value) && URL.canParse(value);
    return isUrl || others.includes(value) ? value : undefined;
  });
}

export const httpTlsSettings = {
  tls: oneOf(
    ['off', 'files', 'acme'],
    'off',
    'HTTPS on the port of HTTP. `acme`: a certificate is obtained and renewed, which also serves SMTP; by this you agree ' +
      'to the terms of the server in MAYFLY_ACME_DIRECTORY. `files`: from two files. `off`: plain HTTP, for a proxy.',
  ),
  tlsCertFile: text(
    '',
    'Certificate chain in PEM for `files`, reloaded when it changes. Empty: MAYFLY_SMTP_TLS_CERT_FILE.',
  ),
  tlsKeyFile: text('', 'Private key of the certificate, in PEM. Empty: MAYFLY_SMTP_TLS_KEY_FILE.'),
  redirectPort: checked(
    text(
      '80',
      'Port of plain HTTP beside HTTPS, which redirects there and answers challenges of the ACME server; the Internet ' +
        'uses 80. Not opened without HTTPS.',
    ),
    'off, or a port from 0 to 65535',
    (value): number | 'off' | undefined => {
      if (value.toLowerCase() === 'off') return 'off';
      return /^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined;
    },
  ),
};

const names = checked(
  list(
    '',
    'Names and IP addresses of the certificate. Empty: the host of MAYFLY_HTTP_PUBLIC_URL and MAYFLY_SMTP_HOSTNAME. With ' +
      'MAYFLY_SMTP_MTA_STS, `mta-sts.` before each domain is added.',
  ),
  'comma separated names and IP addresses, without wildcards',
  (given) => {
    const lower = given.map((name) => name.toLowerCase());
    return lower.every((name) => isIP(name) !== 0 || parseDomainName(name) !== undefined)
      ? Object.freeze([...new Set(lower)])
      : undefined;
  },
);

const eabKey = {
  ...checked(
    text('', 'HMAC key of that account, in base64url.'),
    'at least 16 bytes in base64url',
    (value) => (value === '' || /^[A-Za-z0-9_-]{22,}={0,2}$/.test(value) ? value : undefined),
  ),
  isSecret: true,
} as const;

export const acmeSettings = {
  directory: url(letsEncrypt, 'Directory of the ACME server.'),
  staging: url(
    'auto',
    'Directory at which a new set of names is tried first, and again after a failed validation, since its limits are ' +
      "wide. `auto`: Let's Encrypt's own for Let's Encrypt, none for others.",
    ['auto', 'off'],
  ),
  names,
  email: checked(
    text('', 'Address for notices of the ACME server.'),
    'an e-mail address, or empty',
    (value) => (value === '' || /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(value) ? value : undefined),
  ),
  profile: checked(
    text(
      '',
      "Profile of the certificate, such as Let's Encrypt's `shortlived`. Empty: the server's usual one, and `shortlived` " +
        'with IP addresses.',
    ),
    'a name of a profile, or empty',
    (value) => (/^[A-Za-z0-9._-]{0,64}$/.test(value) ? value : undefined),
  ),
  challenges: checked(
    list(
      'http-01,tls-alpn-01',
      'Ways to prove control over a name, the first one to try first: `http-01` over MAYFLY_HTTP_REDIRECT_PORT, which ' +
        'must be port 80 outside; `tls-alpn-01` over HTTPS, which must be port 443 outside.',
    ),
    'http-01, tls-alpn-01 or both',
    (given) => {
      const known = given.filter((name) => name === 'http-01' || name === 'tls-alpn-01');
      return known.length === given.length && known.length > 0 ? Object.freeze(known) : undefined;
    },
  ),
  eabKeyId: text(
    '',
    'Key id of an account with the ACME server, if it asks for one (external account binding).',
  ),
  eabKey,
  caFile: text(
    '',
    "Certificate authorities in PEM that replace the usual ones to verify the ACME server's own.",
  ),
};

/** The staging server for a setting in force; undefined for none. */
export function stagingOf({ directory, staging }: { readonly directory: string; readonly staging: string }) {
  if (staging === 'auto') return directory === letsEncrypt ? letsEncryptStaging : undefined;
  return staging === 'off' || staging === directory ? undefined : staging;
}

/** The names by which the settings know this server, if they are public ones. */
export function usualNames({
  http,
  smtp,
}: {
  readonly http: { readonly publicUrl: string };
  readonly smtp: { readonly hostname: string };
}): string[] {
  const host = http.publicUrl === '' ? '' : new URL(http.publicUrl).hostname.replace(/^\[|\]$/g, '');
  return [host, smtp.hostname].filter((name) => name.includes('.') || isIP(name) !== 0);
}
