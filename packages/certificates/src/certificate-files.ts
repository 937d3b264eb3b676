// The files of a certificate and its key, read and checked together. Errors name the file at fault, and show nothing of
// what is in it.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

import { messageOf } from '../../system-errors/src/error-message.ts';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface CertificatePair {
  readonly chainPem: string;
  readonly keyPem: string;
  /** When it is valid, ms since 1970. */
  readonly from: number;
  readonly until: number;
}

const pemMaxBytes = 1024 * 1024;

/** @throws Error whose message begins with the file at fault */
export function readCertificateFiles({ certFile, keyFile }: CertificateFiles): CertificatePair {
  const chainPem = readPem(certFile);
  const [leaf, ...others] = readChain(chainPem, certFile);
  if (!leaf) throw new Error(`${certFile} has no certificate in PEM`);
  const keyPem = readPem(keyFile);
  const key = readKey(keyPem, keyFile);
  if (!leaf.checkPrivateKey(key)) {
    throw new Error(
      others.some((one) => one.checkPrivateKey(key))
        ? `${certFile} has another certificate before that of ${keyFile}`
        : `${keyFile} is not the key of the certificate in ${certFile}`,
    );
  }
  return { chainPem, keyPem, from: Date.parse(leaf.validFrom), until: Date.parse(leaf.validTo) };
}

/** Returns why clients refuse it at this time; undefined when it is valid. */
export function findTimeFault({ from, until }: Pick<CertificatePair, 'from' | 'until'>, now: number) {
  if (now < from) return `is not valid before ${toTime(from)}`;
  return now < until ? undefined : `ended on ${toTime(until)}`;
}

function toTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** @throws Error unless it is a regular file (which an endless device is not) no larger than any certificate */
function readPem(file: string): string {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new Error('it is not a file');
    if (stat.size > pemMaxBytes) throw new Error('it is larger than any certificate');
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Those of the system go on with the call and the path.
    const [reason = ''] = messageOf(error).split(',');
    throw new Error(`${file} cannot be read: ${reason}`, { cause: error });
  }
}

/** Returns those of a file, which may hold the key too. @throws Error */
export function readChain(pem: string, file: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN ([A-Z0-9 ]{1,40})-----[^]*?-----END \1-----/g) ?? [];
  if (blocks.length < (pem.match(/-----BEGIN /g) ?? []).length) throw new Error(`${file} is cut off`);
  return blocks
    .filter((block) => /^-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(block))
    .map((block) => {
      try {
        return new X509Certificate(block);
      } catch (error) {
        throw new Error(`${file} has a certificate that cannot be read`, { cause: error });
      }
    });
}

function readKey(pem: string, file: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    // PKCS #8 has it in its label, older forms in a field.
    const isEncrypted = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem);
    const fault = isEncrypted ? 'is encrypted: store it without a passphrase' : 'has no private key in PEM';
    throw new Error(`${file} ${fault}`, { cause: error });
  }
}
