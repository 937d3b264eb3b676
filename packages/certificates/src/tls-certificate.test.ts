import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, TLSSocket } from 'node:tls';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { makeCertificate } from '../../../test/support/servers/certificate.ts';
import {
  type CertificateFiles,
  ensureSelfSigned,
  openTlsCertificate,
  type TlsCertificate,
} from './tls-certificate.ts';

let folder: string;
let files: CertificateFiles;
let reported: unknown[];
let now: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-tls-'));
  files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  reported = [];
  // Whole milliseconds, so that sums are exact.
  now = Math.ceil(performance.now());
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function write(pair: { cert: string; key: string }): void {
  writeFileSync(files.certFile, pair.cert);
  writeFileSync(files.keyFile, pair.key);
}

function open(): TlsCertificate {
  return openTlsCertificate({ files, isTrusted: true, onReloadFailed: (error) => reported.push(error) });
}

/** The name in the certificate that a handshake is shown now. */
async function shownName(certificate: TlsCertificate): Promise<string> {
  const server = createServer((socket) => {
    new TLSSocket(socket, { isServer: true, secureContext: certificate.current() }).on(
      'error',
      () => undefined,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
  });
  await once(client, 'secureConnect');
  const { subject } = client.getPeerCertificate();
  client.destroy();
  server.close();
  return String(subject.CN);
}

describe('the self-signed pair', () => {
  it('is made once, for the host name, and kept', async () => {
    const made = ensureSelfSigned(folder, 'mx.test');
    const texts = [made.certFile, made.keyFile].map((file) => readFileSync(file, 'utf8'));
    const certificate = new X509Certificate(texts[0] ?? '');
    expect(certificate.subject).toBe('CN=mx.test');
    expect(new Date(certificate.validTo).getUTCFullYear()).toBe(new Date().getUTCFullYear() + 10);
    expect(ensureSelfSigned(folder, 'other.test')).toEqual(made);
    expect([made.certFile, made.keyFile].map((file) => readFileSync(file, 'utf8'))).toEqual(texts);
  });

  it('is for the owner alone', async () => {
    ensureSelfSigned(folder, 'mx.test');
    const modeOf = (name: string): string => (statSync(join(folder, name)).mode & 0o777).toString(8);
    expect(['tls', 'tls/key.pem', 'tls/cert.pem'].map(modeOf)).toEqual(['700', '600', '600']);
    expect(readdirSync(join(folder, 'tls')).sort()).toEqual(['cert.pem', 'key.pem']);
  });

  it('is made anew when half of it is gone', async () => {
    files = ensureSelfSigned(folder, 'mx.test');
    rmSync(files.keyFile);
    ensureSelfSigned(folder, 'mx.test');
    expect(await shownName(open())).toBe('mx.test');
  });
});

describe('the files of an operator', () => {
  it('that are absent or do not fit together are refused at the start', () => {
    expect(open).toThrow('ENOENT');
    write({ ...makeCertificate('one.test'), key: makeCertificate('two.test').key });
    expect(open).toThrow(/mismatch/);
    write({ cert: 'nonsense', key: 'nonsense' });
    expect(open).toThrow();
  });

  it('are taken up when they change, at most once a second', async () => {
    write(makeCertificate('one.test'));
    const certificate = open();
    expect(await shownName(certificate)).toBe('one.test');
    write(makeCertificate('two.test'));
    now += 999;
    expect(await shownName(certificate)).toBe('one.test');
    now += 1;
    expect(await shownName(certificate)).toBe('two.test');
    expect(reported).toEqual([]);
  });

  it('are left in memory while they do not change', () => {
    write(makeCertificate('one.test'));
    const certificate = open();
    const before = certificate.current();
    now += 5000;
    expect(certificate.current()).toBe(before);
  });

  it('that are broken are reported once, and the old ones stay until there are good ones', async () => {
    write(makeCertificate('one.test'));
    const certificate = open();
    const pair = makeCertificate('two.test');
    writeFileSync(files.certFile, pair.cert);
    for (let count = 0; count < 3; count++) {
      now += 1000;
      expect(await shownName(certificate)).toBe('one.test');
    }
    expect(reported).toHaveLength(1);
    writeFileSync(files.keyFile, pair.key);
    now += 1000;
    expect(await shownName(certificate)).toBe('two.test');
    expect(reported).toHaveLength(1);
  });

  it('that are gone are reported once, and taken up when they are back', async () => {
    write(makeCertificate('one.test'));
    const certificate = open();
    rmSync(files.certFile);
    for (let count = 0; count < 3; count++) {
      now += 1000;
      expect(await shownName(certificate)).toBe('one.test');
    }
    expect(reported).toHaveLength(1);
    write(makeCertificate('two.test'));
    chmodSync(files.keyFile, 0o600);
    now += 1000;
    expect(await shownName(certificate)).toBe('two.test');
  });
});
