import { createPrivateKey, X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { describe, expect, test } from 'vitest';

import { createSelfSigned } from './self-signed.ts';

const from = new Date('2026-03-04T05:06:07Z');
const until = new Date('2036-03-04T05:06:07Z');

describe('a self-signed certificate', () => {
  test('names the host, its times and its own key, and verifies under that key', () => {
    const made = createSelfSigned({ hostname: 'mx.mayfly.test', from, until });
    const read = new X509Certificate(made.certificatePem);
    expect(read.subject).toBe('CN=mx.mayfly.test');
    expect(read.issuer).toBe(read.subject);
    expect(read.checkHost('mx.mayfly.test')).toBe('mx.mayfly.test');
    expect(read.checkHost('other.test')).toBeUndefined();
    expect(Date.parse(read.validFrom)).toBe(from.getTime());
    expect(Date.parse(read.validTo)).toBe(until.getTime());
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.checkPrivateKey(createPrivateKey(made.keyPem))).toBe(true);
  });

  test('has a serial number of its own', () => {
    const serials = [1, 2].map(
      () =>
        new X509Certificate(createSelfSigned({ hostname: 'a.test', from, until }).certificatePem)
          .serialNumber,
    );
    expect(new Set(serials).size).toBe(2);
  });

  test('keeps within the 64 characters of a common name, and is still for the whole host', () => {
    const hostname = `${'long-label.'.repeat(20)}test`;
    const read = new X509Certificate(createSelfSigned({ hostname, from, until }).certificatePem);
    expect(read.subject).toBe(`CN=${hostname.slice(0, 64)}`);
    expect(read.checkHost(hostname)).toBe(hostname);
  });

  test('is taken by a TLS client that trusts it', async () => {
    const now = Date.now();
    const made = createSelfSigned({
      hostname: 'localhost',
      from: new Date(now - 60_000),
      until: new Date(now + 60_000),
    });
    const server = createServer({ cert: made.certificatePem, key: made.keyPem });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = connect({ host: '127.0.0.1', port, servername: 'localhost', ca: made.certificatePem });
    await once(client, 'secureConnect');
    expect(client.authorized).toBe(true);
    client.destroy();
    server.close();
  });
});
