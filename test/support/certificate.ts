// Certificates made by openssl for one test, in folders that are gone when this returns: self-signed, or by an authority
// of the test's own.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** For the host name, in PEM; good for a day. */
export function makeCertificate(host: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-cert-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '1',
        ],
        ...['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert],
      ],
      { stdio: 'pipe' },
    );
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Authority {
  /** In PEM. */
  readonly cert: string;
  /** For the host name, good for `days`: a negative number makes one that ended that long ago. */
  issue(host: string, days?: number): Certificate;
}

export function makeAuthority(): Authority {
  const own = makeCertificate('Authority of a test');
  return { cert: own.cert, issue: (host, days = 1) => issue(own, host, days) };
}

function issue(authority: Certificate, host: string, days: number): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-cert-'));
  const file = (name: string): string => join(folder, name);
  const openssl = (...words: readonly string[]): void => {
    execFileSync('openssl', words, { stdio: 'pipe' });
  };
  try {
    writeFileSync(file('ca.pem'), authority.cert);
    writeFileSync(file('ca.key'), authority.key, { mode: 0o600 });
    writeFileSync(file('extensions'), `subjectAltName=DNS:${host}\n`);
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl('req', ...key, '-subj', `/CN=${host}`, '-keyout', file('key.pem'), '-out', file('request'));
    const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-extfile', file('extensions')];
    openssl(
      'x509',
      '-req',
      '-in',
      file('request'),
      ...signed,
      '-days',
      String(days),
      '-out',
      file('cert.pem'),
    );
    return { key: readFileSync(file('key.pem'), 'utf8'), cert: readFileSync(file('cert.pem'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
