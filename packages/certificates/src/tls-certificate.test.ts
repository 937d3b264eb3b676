import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, TLSSocket } from 'node:tls';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { makeAuthority, makeCertificate } from '../../../test/support/servers/certificate.ts';
import type { CertificateFiles } from './certificate-files.ts';
import { ensureSelfSigned, openTlsCertificate, type TlsCertificate } from './tls-certificate.ts';

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

function lock(key: string, type: 'pkcs8' | 'sec1' = 'pkcs8'): string {
  const format = { type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
  return createPrivateKey(key).export(format).toString();
}

describe('the files of an operator', () => {
  const good = makeCertificate('one.test');
  const authority = makeAuthority();
  const issued = authority.issue('one.test');

  it.each([
    ['no certificate', { cert: undefined }, 'cert.pem cannot be read: ENOENT: no such file or directory'],
    ['no key', { key: undefined }, 'key.pem cannot be read: ENOENT: no such file or directory'],
    ['another key', { key: makeCertificate('two.test').key }, 'key.pem is not the key of the certificate in'],
    ['an empty certificate', { cert: '' }, 'cert.pem has no certificate in PEM'],
    ['no PEM', { cert: 'nonsense' }, 'cert.pem has no certificate in PEM'],
    ['a key that is none', { key: 'nonsense' }, 'key.pem has no private key in PEM'],
    ['an encrypted key', { key: lock(good.key) }, 'key.pem is encrypted: store it without a passphrase'],
    [
      'a key encrypted as it was long ago',
      { key: lock(good.key, 'sec1') },
      'key.pem is encrypted: store it without a passphrase',
    ],
    ['an empty key', { key: '' }, 'key.pem has no private key in PEM'],
    ['files that were swapped', { cert: good.key, key: good.cert }, 'cert.pem has no certificate in PEM'],
    ['half a certificate', { cert: good.cert.slice(0, good.cert.length / 2) }, 'cert.pem is cut off'],
    ['half a chain', { cert: good.cert + authority.cert.slice(0, 200) }, 'cert.pem is cut off'],
    ['half a key', { key: good.key.slice(0, good.key.length / 2) }, 'key.pem has no private key in PEM'],
    [
      'a certificate of nonsense',
      { cert: good.cert.replace(/\n[^-]*\n/, '\nAAAA\n') },
      'cert.pem has a certificate that cannot be read',
    ],
    [
      'the issuer first',
      { cert: authority.cert + issued.cert, key: issued.key },
      'cert.pem has another certificate before that of',
    ],
  ])('are refused at the start with the name of the file: %s', (_name, fault, message) => {
    const pair: { cert: string | undefined; key: string | undefined } = { ...good, ...fault };
    if (pair.cert !== undefined) writeFileSync(files.certFile, pair.cert);
    if (pair.key !== undefined) writeFileSync(files.keyFile, pair.key);
    expect(open).toThrow(`${folder}/${message}`);
  });

  it('are used although they have expired, when there is nothing better', async () => {
    write(authority.issue('late.test', -2));
    expect(await shownName(open())).toBe('late.test');
  });

  it('that have expired do not replace valid ones', async () => {
    write(good);
    const certificate = open();
    write(authority.issue('late.test', -2));
    now += 1000;
    expect(await shownName(certificate)).toBe('one.test');
    expect(certificate.fault).toMatch(/cert\.pem ended on \d{4}-\d\d-\d\d \d\d:\d\d$/);
    now += 1000;
    expect([certificate.fault, reported.length]).toEqual([expect.any(String), 1]);
    write(makeCertificate('two.test'));
    now += 1000;
    expect([await shownName(certificate), certificate.fault]).toEqual(['two.test', undefined]);
  });

  it('that are not valid yet are taken up when they are, without another change', async () => {
    write(good);
    const certificate = open();
    const later = Date.now() + 60_000;
    vi.useFakeTimers({ now: later, toFake: ['Date'] });
    const fresh = makeCertificate('two.test');
    vi.useRealTimers();
    write(fresh);
    now += 1000;
    expect(certificate.fault).toMatch(/cert\.pem is not valid before/);
    vi.useFakeTimers({ now: later + 1000, toFake: ['Date'] });
    now += 1000;
    expect(certificate.fault).toBeUndefined();
    vi.useRealTimers();
    expect(await shownName(certificate)).toBe('two.test');
  });

  it('are taken up after a rename of each, without a report between the two', async () => {
    write(good);
    const certificate = open();
    const fresh = makeCertificate('two.test');
    writeFileSync(`${files.certFile}.new`, fresh.cert);
    writeFileSync(`${files.keyFile}.new`, fresh.key);
    renameSync(`${files.certFile}.new`, files.certFile);
    now += 1000;
    expect(await shownName(certificate)).toBe('one.test');
    renameSync(`${files.keyFile}.new`, files.keyFile);
    now += 1000;
    expect([await shownName(certificate), reported]).toEqual(['two.test', []]);
  });

  it('are taken up when a symbolic link leads elsewhere, also one of a folder above', async () => {
    for (const [version, pair] of [good, makeCertificate('two.test')].entries()) {
      mkdirSync(join(folder, `v${version}`));
      writeFileSync(join(folder, `v${version}`, 'tls.crt'), pair.cert);
      writeFileSync(join(folder, `v${version}`, 'tls.key'), pair.key);
    }
    symlinkSync('v0', join(folder, '..data'));
    symlinkSync('..data/tls.crt', files.certFile);
    symlinkSync('..data/tls.key', files.keyFile);
    const certificate = open();
    symlinkSync('v1', join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    now += 1000;
    expect([await shownName(certificate), reported]).toEqual(['two.test', []]);
  });

  it('tell by themselves that they have changed, without a handshake', () => {
    write(good);
    const certificate = open();
    const before = certificate.endsAt;
    write(authority.issue('two.test', 9));
    now += 1000;
    expect(certificate.endsAt - before).toBeGreaterThan(7 * 86_400_000);
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
