// A certificate from files: the operator's, reloaded when they change, or a self-signed one made at the first start.
// Senders on port 25 accept either (RFC 7435).

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

import { codeOf } from '../../system-errors/src/error-code.ts';
import { createSelfSigned } from './self-signed.ts';

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface TlsCertificate {
  /** Returns the context for the next handshake. */
  current(): SecureContext;
  /** When the current certificate expires, ms since 1970. */
  readonly endsAt: number;
  /** False for a self-signed one of ours, which clients cannot verify. */
  readonly isTrusted: boolean;
  /** The current certificate and its chain. */
  readonly chainPem: string;
}

export interface TlsCertificateOptions {
  readonly files: CertificateFiles;
  /** Called for new files that do not match; the old ones stay in use. */
  readonly onReloadFailed: (error: unknown) => void;
  /** Whether the files are the operator's. */
  readonly isTrusted: boolean;
}

/** How often handshakes check whether the files have changed. */
const lookIntervalMs = 1000;
const selfSignedYears = 10;
const pemMaxBytes = 1024 * 1024;
/**
 * RFC 9325 §4.2 without CBC, CCM and ARIA, and without finite-field groups: strangers choose the cost of a handshake,
 * and ffdhe8192 costs fifty times as much as X25519.
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

/** @throws Error when the files are missing or do not match */
export function openTlsCertificate({
  files,
  onReloadFailed,
  isTrusted,
}: TlsCertificateOptions): TlsCertificate {
  let stamp = readStamp(files);
  let { context, endsAt, chainPem } = load(files);
  let lookedAt = performance.now();

  function reloadIfChanged(): void {
    const newStamp = readStamp(files);
    if (newStamp === stamp) return;
    // Set before reading the files, so that a change meanwhile is checked again and broken files are reported once.
    stamp = newStamp;
    try {
      ({ context, endsAt, chainPem } = load(files));
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
    isTrusted,
    get endsAt() {
      return endsAt;
    },
    get chainPem() {
      return chainPem;
    },
  };
}

function load({ certFile, keyFile }: CertificateFiles) {
  const cert = readPem(certFile);
  const context = createServingContext({ cert, key: readPem(keyFile) });
  return { context, endsAt: Date.parse(new X509Certificate(cert).validTo), chainPem: cert.toString() };
}

/** @param pair in PEM. @throws Error when the two do not belong together */
export function createServingContext(pair: {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}): SecureContext {
  // Nothing below TLS 1.2 (RFC 9325 §3.1.1).
  return createSecureContext({
    ...pair,
    minVersion: 'TLSv1.2',
    ciphers,
    ecdhCurve: groups,
    // Renegotiation in TLS 1.2 is useless here and costs as much as the first handshake.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    honorCipherOrder: true,
  });
}

/** @throws Error unless it is a regular file (which an endless device is not) no larger than any certificate */
function readPem(file: string): Buffer {
  const stat = statSync(file);
  if (!stat.isFile()) throw new Error(`${file} is not a file`);
  if (stat.size > pemMaxBytes) throw new Error(`${file} is larger than any certificate`);
  return readFileSync(file);
}

/** Changes with the files. Includes why one cannot be accessed: reading it then fails too, with a better message. */
function readStamp(files: CertificateFiles): string {
  return [stampOf(files.certFile), stampOf(files.keyFile)].join();
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch (error) {
    return String(codeOf(error));
  }
}

/** Makes `tls/cert.pem` and `tls/key.pem` in the data folder unless they exist. Returns their paths. */
export function ensureSelfSigned(dataDir: string, hostname: string): CertificateFiles {
  const files = { certFile: join(dataDir, 'tls', 'cert.pem'), keyFile: join(dataDir, 'tls', 'key.pem') };
  if (exists(files.certFile) && exists(files.keyFile)) return files;
  const from = new Date();
  const until = new Date(from);
  until.setUTCFullYear(until.getUTCFullYear() + selfSignedYears);
  const made = createSelfSigned({ hostname, from, until });
  mkdirSync(dirname(files.keyFile), { recursive: true, mode: 0o700 });
  // The key first: a certificate without it would look like a complete pair.
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
