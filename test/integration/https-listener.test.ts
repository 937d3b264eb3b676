// HTTPS on the service's own listener, and plain HTTP beside it, with a certificate from files.

import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, createSecureContext, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createRedirectServer, type RedirectServerOptions } from '#http-parts/redirect-server';
import { createConnections } from '../../src/http/connections/create-connections.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { createSelfSigned } from '#certificates/self-signed';
import { createTlsFiles } from '../support/servers/tls-files.ts';
import { type Harness, type HarnessOptions, startHttp } from './http-harness.ts';

const host = 'mail.example.org';

async function start(options: HarnessOptions = {}) {
  const tls = createTlsFiles(host);
  const answered: string[] = [];
  const https = {
    certificate: tls.certificate,
    answerTls: (name: string) => {
      answered.push(name);
      if (name !== host) return undefined;
      const made = createSelfSigned({
        hostname: host,
        keyAuthorization: 'token.thumbprint',
        from: new Date(Date.now() - 1000),
        until: new Date(Date.now() + 60_000),
      });
      return createSecureContext({ cert: made.certificatePem, key: made.keyPem });
    },
  };
  const harness = await startHttp({ settings: { publicUrl: `https://${host}` }, ...options, https });
  return { ...harness, tls, answered };
}

async function open({ port }: Pick<Harness, 'port'>, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: host,
    rejectUnauthorized: false,
    ...options,
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

async function ask({ port }: Pick<Harness, 'port'>, path: string, name = host) {
  const request = requestHttps({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    servername: host,
    rejectUnauthorized: false,
    headers: { host: name },
  });
  request.end();
  const [answer] = await once(request, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('HTTPS', () => {
  it('serves the interface, many requests over one connection, and HSTS on every answer', async () => {
    const harness = await start();
    const { headers, status } = await ask(harness, '/domains');
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await ask(harness, '/nothing')).headers['strict-transport-security']).toBe('max-age=31536000');
    const socket = await open(harness);
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    socket.write(`GET /domains HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(20));
    await expect.poll(() => received.split('HTTP/1.1 200 OK').length - 1).toBe(20);
  });

  it('does not send HSTS for a service that is not public', async () => {
    const harness = await start({ settings: { publicUrl: '' } });
    expect(
      (await ask(harness, '/domains', '127.0.0.1')).headers['strict-transport-security'],
    ).toBeUndefined();
  });

  it('chooses HTTP/1.1, and refuses clients that offer only other protocols', async () => {
    const harness = await start();
    expect((await open(harness, { ALPNProtocols: ['h2', 'http/1.1'] })).alpnProtocol).toBe('http/1.1');
    expect((await open(harness)).alpnProtocol).toBe(false);
    await expect(open(harness, { ALPNProtocols: ['h2'] })).rejects.toThrow(/no application protocol/i);
  });

  it('answers a validating server with its own certificate, and says nothing else to it', async () => {
    const harness = await start();
    const socket = await open(harness, { ALPNProtocols: ['acme-tls/1'] });
    expect(socket.alpnProtocol).toBe('acme-tls/1');
    const proof = socket.getPeerX509Certificate();
    // The digest is in a critical extension, which Node lists by its number.
    expect(proof?.raw.includes(Buffer.from('06082b0601050507011f0101ff', 'hex'))).toBe(true);
    socket.resume();
    await once(socket, 'close');
    expect(harness.answered).toEqual([host]);
    await expect(
      open(harness, { servername: 'other.test', ALPNProtocols: ['acme-tls/1'] }),
    ).rejects.toThrow();
    expect((await open(harness)).getPeerX509Certificate()?.raw.equals(proof!.raw)).toBe(false);
  });

  it('takes a new certificate at the next handshake, and lets open connections be', async () => {
    const harness = await start();
    const socket = await open(harness);
    const before = socket.getPeerX509Certificate()?.serialNumber;
    harness.tls.swap(host);
    await expect
      .poll(async () => (await open(harness)).getPeerX509Certificate()?.serialNumber)
      .not.toBe(before);
    socket.write(`GET /domains HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('refuses TLS 1.1 and plain HTTP, and goes on', async () => {
    const harness = await start();
    await expect(
      open(harness, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
    const plain = connectPlain(harness.port, '127.0.0.1');
    plain.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    plain.resume();
    await once(plain, 'close');
    expect((await ask(harness, '/domains')).status).toBe(200);
  });

  it('limits connections of an address before their handshake', async () => {
    const harness = await start({ settings: { publicUrl: `https://${host}`, connectionsPerAddressMax: 2 } });
    const held = [connectPlain(harness.port, '127.0.0.1'), connectPlain(harness.port, '127.0.0.1')];
    onTestFinished(() => {
      for (const socket of held) socket.destroy();
    });
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    await expect(open(harness)).rejects.toThrow();
    held[0]!.destroy();
    await expect
      .poll(async () => (await ask(harness, '/domains').catch((error: unknown) => void error))?.status)
      .toBe(200);
  });

  it('closes while connections are open: idle, in a handshake, and unused', async () => {
    const harness = await start();
    const idle = await open(harness);
    idle.write(`GET /domains HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await once(idle, 'data');
    const unused = await open(harness);
    const half = connectPlain(harness.port, '127.0.0.1');
    await once(half, 'connect');
    half.write(Buffer.from('1603010200', 'hex'));
    for (const socket of [idle, unused, half]) socket.on('error', () => undefined);
    await delay(20);
    const closed = Promise.all([idle, unused, half].map((socket) => once(socket, 'close')));
    for (const socket of [idle, unused, half]) socket.resume();
    await harness.server.close();
    await closed;
  });

  it('cuts a client that pipelines more than may wait, like any other', async () => {
    const metrics = createMetrics();
    const harness = await start({ metrics });
    const { token } = await harness.lend();
    const socket = await open(harness);
    socket.on('error', () => undefined);
    const waiting = `GET /check-mail?wait=60&token=${token} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    socket.write(waiting.repeat(1002));
    await once(socket, 'close');
    expect(metrics.httpRefused.of('pipelined').value).toBeGreaterThan(0);
  });

  it('forgets connections however they end', async () => {
    const metrics = createMetrics();
    const harness = await start({ metrics });
    for (let at = 0; at < 20; at++) {
      (await open(harness)).destroy();
      const early = connect({ host: '127.0.0.1', port: harness.port, rejectUnauthorized: false });
      early.on('error', () => undefined);
      await once(early, 'connect');
      early.destroy();
      const ended = await open(harness);
      ended.end();
      const reset = connectPlain(harness.port, '127.0.0.1');
      await once(reset, 'connect');
      reset.resetAndDestroy();
    }
    await expect
      .poll(async () => {
        await metrics.registry.render();
        return metrics.httpOpen.of().value;
      })
      .toBe(0);
  });
});

describe('the policy of MTA-STS', () => {
  it('is served for any host, whatever hosts are allowed, and only when it is on', async () => {
    const settings = { publicUrl: `https://${host}`, hosts: [host], basePath: '/mail' };
    const mtaSts = { mode: 'testing', exchange: 'mx.example.org' } as const;
    const harness = await start({ settings, mtaSts });
    const path = '/.well-known/mta-sts.txt';
    const { status, headers, body } = await ask(harness, path, 'mta-sts.example.net');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(body.split('\r\n')).toEqual([
      ...['version: STSv1', 'mode: testing', 'mx: mx.example.org', 'max_age: 604800', ''],
    ]);
    expect((await ask(harness, '/mail/domains', 'mta-sts.example.net')).status).toBe(421);
    expect((await ask(await start(), path)).status).toBe(404);
  });
});

describe('plain HTTP beside HTTPS', () => {
  async function redirect(given: Partial<RedirectServerOptions> = {}, publicUrl = `https://${host}`) {
    const silent = (): void => undefined;
    const server = await createRedirectServer({
      settings: { host: '127.0.0.1', port: 0, socket: undefined, publicUrl, connectionsPerAddressMax: 100 },
      httpsPort: () => 443,
      serves: (name) => name === host || name === '192.0.2.1',
      answerHttp: (token) => Promise.resolve(token === 'known' ? 'known.thumbprint' : undefined),
      connect: (options) =>
        createConnections({
          ...options,
          metrics: createMetrics(),
          log: { debug: silent, info: silent, warn: silent, error: silent },
        }),
      onFault: silent,
      ...given,
    });
    onTestFinished(() => server.close());
    return async (path: string, name?: string, method = 'GET') => {
      const { port } = server.address;
      const headers = name === undefined ? {} : { host: name };
      const request = requestHttp({ host: '127.0.0.1', port, path, method, headers, agent: false });
      request.end();
      const [answer] = await once(request, 'response');
      return { status: answer.statusCode, location: answer.headers.location, body: await text(answer) };
    };
  }

  it('redirects to the host asked for if it has a certificate, else to the public one', async () => {
    const send = await redirect();
    expect(await send('/a?b=1', host)).toMatchObject({ status: 308, location: `https://${host}/a?b=1` });
    expect(await send('/', '192.0.2.1')).toMatchObject({ location: 'https://192.0.2.1/' });
    expect(await send('/', 'evil.test')).toMatchObject({ location: `https://${host}/` });
    expect(await send('/', 'a b')).toMatchObject({ location: `https://${host}/` });
    expect(await send('//evil.test/', 'evil.test')).toMatchObject({
      location: `https://${host}//evil.test/`,
    });
    expect(await send('/', host, 'HEAD')).toMatchObject({ status: 308 });
  });

  it('names the port of HTTPS where it is not 443, and IPv6 addresses in brackets', async () => {
    const send = await redirect({ httpsPort: () => 8443 }, '');
    expect(await send('/x', 'localhost:8080')).toMatchObject({ location: 'https://localhost:8443/x' });
    expect(await send('/x', '[2001:db8::1]')).toMatchObject({ location: 'https://[2001:db8::1]:8443/x' });
  });

  it('redirects nothing that was sent in the clear already', async () => {
    const send = await redirect();
    expect(await send('/create-session', host, 'POST')).toMatchObject({ status: 403, location: undefined });
    expect(await send('http://evil.test/', host)).toMatchObject({ status: 400 });
  });

  it('answers challenges, whatever host is asked for', async () => {
    const send = await redirect();
    const path = '/.well-known/acme-challenge/';
    expect(await send(`${path}known`, 'anything.test')).toMatchObject({
      status: 200,
      body: 'known.thumbprint',
    });
    expect(await send(`${path}unknown`, host)).toMatchObject({ status: 404, body: '' });
    const failing = await redirect({ answerHttp: () => Promise.reject(new Error('store')) });
    expect(await failing(`${path}known`, host)).toMatchObject({ status: 500 });
  });
});
