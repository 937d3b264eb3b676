// The certificate that STARTTLS shows: the operator's files, taken up anew when they change, or a self-signed one
// made at the first start. Senders on port 25 encrypt to either (RFC 7435). Made by app.ts.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

import { createSelfSigned } from './self-signed.ts';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface TlsCertificate {
  /** What the next handshake uses. */
  current(): SecureContext;
  /** When the certificate in use ends, ms since 1970. */
  readonly endsAt: number;
}

export interface TlsCertificateOptions {
  readonly files: CertificateFiles;
  /** New files that do not fit together; the old ones stay in use. */
  readonly onReloadFailed: (error: unknown) => void;
}

/** How often a handshake looks whether the files have changed. */
const lookIntervalMs = 1000;
const selfSignedYears = 10;
const pemMaxBytes = 1024 * 1024;
/**
 * RFC 9325 §4.2 without CBC, CCM and ARIA, and no finite-field groups: a stranger chooses what a handshake costs us, and
 * ffdhe8192 costs fifty times what X25519 does.
 */
const groups = 'X25519:P-256:P-384';
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** @throws Error when the files are absent or do not fit together */
export function openTlsCertificate({ files, onReloadFailed }: TlsCertificateOptions): TlsCertificate {
  let stamp = readStamp(files);
  let { context, endsAt } = load(files);
  let lookedAt = performance.now();

  function reloadIfChanged(): void {
    const newStamp = readStamp(files);
    if (newStamp === stamp) return;
    // Before the files are read: what changes meanwhile is looked at again, and what is broken reported once.
    stamp = newStamp;
    try {
      ({ context, endsAt } = load(files));
    } catch (error) {
      onReloadFailed(error);
    }
  }

  return {
    current: () => {
      if (performance.now() - lookedAt >= lookIntervalMs) {
        lookedAt = performance.now();
        reloadIfChanged();
      }
      return context;
    },
    get endsAt() {
      return endsAt;
    },
  };
}

function load({ certFile, keyFile }: CertificateFiles): { context: SecureContext; endsAt: number } {
  const cert = readPem(certFile);
  // RFC 9325 §3.1.1: nothing below TLS 1.2.
  const context = createSecureContext({
    cert,
    key: readPem(keyFile),
    minVersion: 'TLSv1.2',
    ciphers,
    ecdhCurve: groups,
    // A second handshake within TLS 1.2 has no use here and costs as much as the first.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    honorCipherOrder: true,
  });
  return { context, endsAt: Date.parse(new X509Certificate(cert).validTo) };
}

/** @throws Error when it is no file, which a device without an end is not either, or larger than any certificate */
function readPem(file: string): Buffer {
  const stat = statSync(file);
  if (!stat.isFile()) throw new Error(`${file} is not a file`);
  if (stat.size > pemMaxBytes) throw new Error(`${file} is larger than any certificate`);
  return readFileSync(file);
}

/** Changes with the files. Why one cannot be seen is part of it: reading it then fails too, and says more. */
function readStamp(files: CertificateFiles): string {
  return [stampOf(files.certFile), stampOf(files.keyFile)].join();
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
}

/** Makes `tls/cert.pem` and `tls/key.pem` in the data folder unless they are there. Returns where they are. */
export function ensureSelfSigned(dataDir: string, hostname: string): CertificateFiles {
  const files = { certFile: join(dataDir, 'tls', 'cert.pem'), keyFile: join(dataDir, 'tls', 'key.pem') };
  if (exists(files.certFile) && exists(files.keyFile)) return files;
  const from = new Date();
  const until = new Date(from);
  until.setUTCFullYear(until.getUTCFullYear() + selfSignedYears);
  const made = createSelfSigned({ hostname, from, until });
  mkdirSync(dirname(files.keyFile), { recursive: true, mode: 0o700 });
  // The key first: a certificate without it would be taken for a finished pair.
  writeWhole(files.keyFile, made.keyPem);
  writeWhole(files.certFile, made.certificatePem);
  return files;
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
