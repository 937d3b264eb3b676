// A certificate from files: the operator's, reloaded when they change, or a self-signed one made at the first start.
// Senders on port 25 accept either (RFC 7435).

import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

import { codeOf } from '../../system-errors/src/error-code.ts';
import { messageOf } from '../../system-errors/src/error-message.ts';
import { type CertificateFiles, findTimeFault, readCertificateFiles } from './certificate-files.ts';
import { createSelfSigned } from './self-signed.ts';

export interface TlsCertificate {
  /** Returns the context for the next handshake. */
  current(): SecureContext;
  /** When the current certificate expires, ms since 1970. */
  readonly endsAt: number;
  /** False for a self-signed one of ours, which clients cannot verify. */
  readonly isTrusted: boolean;
  /** The current certificate and its chain. */
  readonly chainPem: string;
  /** Why its files as they are now are not used, beginning with one of them; undefined while they are. */
  readonly fault?: string | undefined;
}

export interface TlsCertificateOptions {
  readonly files: CertificateFiles;
  /**
   * Called for changed files that cannot be used: once for a reason, and not for what is mended within a second, as while
   * one of the two has been replaced.
   */
  readonly onReloadFailed: (error: unknown) => void;
  /** Whether the files are the operator's. */
  readonly isTrusted: boolean;
}

/** How often handshakes check whether the files have changed. */
const lookIntervalMs = 1000;
const selfSignedYears = 10;
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

/** @throws Error when the files are missing or do not match, naming the one at fault */
export function openTlsCertificate({
  files,
  onReloadFailed,
  isTrusted,
}: TlsCertificateOptions): TlsCertificate {
  let stamp = readStamp(files);
  let used = load(files);
  let lookedAt = performance.now();
  let fault: string | undefined;
  let reported: string | undefined;

  function reload(): void {
    try {
      used = load(files, used);
      fault = reported = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message === fault && message !== reported) {
        reported = message;
        onReloadFailed(error);
      }
      fault = message;
    }
  }

  /** Returns what is in use after a look at the files. */
  function look(): Loaded {
    if (performance.now() - lookedAt < lookIntervalMs) return used;
    lookedAt = performance.now();
    const newStamp = readStamp(files);
    // A certificate that is not valid yet becomes so without a change.
    if (newStamp === stamp && fault === undefined) return used;
    // Set before reading the files, so that a change meanwhile is seen.
    stamp = newStamp;
    reload();
    return used;
  }

  return {
    current: () => look().context,
    isTrusted,
    get endsAt() {
      return look().until;
    },
    get chainPem() {
      return look().chainPem;
    },
    get fault() {
      look();
      return fault;
    },
  };
}

interface Loaded {
  readonly context: SecureContext;
  readonly chainPem: string;
  readonly from: number;
  readonly until: number;
}

/** @param before in use, which one that is not valid now does not replace unless it is no better. @throws Error */
function load(files: CertificateFiles, before?: Loaded): Loaded {
  const { chainPem, keyPem, from, until } = readCertificateFiles(files);
  const now = Date.now();
  const outOfTime = findTimeFault({ from, until }, now);
  if (before && outOfTime !== undefined && findTimeFault(before, now) === undefined) {
    throw new Error(`${files.certFile} ${outOfTime}`);
  }
  try {
    return { context: createServingContext({ cert: chainPem, key: keyPem }), chainPem, from, until };
  } catch (error) {
    throw new Error(`${files.certFile} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

/** @param pair in PEM. @throws Error when the two do not belong together */
export function createServingContext(pair: { readonly cert: string; readonly key: string }): SecureContext {
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

/** Changes with the files. Includes why one cannot be accessed: reading it then fails too, with a better message. */
function readStamp(files: CertificateFiles): string {
  return [stampOf(files.certFile), stampOf(files.keyFile)].join();
}

function stampOf(file: string): string {
  try {
    // That of the inode changes with owner and mode too.
    const { ino, size, ctimeNs } = statSync(file, { bigint: true });
    return `${ino}:${size}:${ctimeNs}`;
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
