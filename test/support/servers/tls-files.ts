// A certificate in files, as an operator would supply it, for one test. Removed with the test.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { CertificateFiles } from '#certificates/certificate-files';
import { openTlsCertificate, type TlsCertificate } from '#certificates/tls-certificate';
import { makeCertificate } from './certificate.ts';

export interface TlsFiles {
  readonly files: CertificateFiles;
  readonly certificate: TlsCertificate;
  /** Replaces the pair by a new one for this name. */
  swap(host: string): void;
}

export function createTlsFiles(host: string): TlsFiles {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-tls-files-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const swap = (name: string): void => {
    const { cert, key } = makeCertificate(name);
    writeFileSync(files.certFile, cert);
    writeFileSync(files.keyFile, key, { mode: 0o600 });
  };
  swap(host);
  const onReloadFailed = (error: unknown): never => {
    throw error;
  };
  return { files, certificate: openTlsCertificate({ files, onReloadFailed, isTrusted: true }), swap };
}
