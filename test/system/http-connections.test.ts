// Connections of the HTTP listener: one network gets its share and no more, clients behind a proxy count separately,
// and descriptors remain for mail and the store.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { lookUpAll } from '#networks/resolve-host';
import { createMetrics, renderMetrics } from '../../src/observe/metrics.ts';
import { SmtpClient } from '../support/smtp/smtp-client.ts';
import { connectFrom } from '../support/faults/service-under-fault.ts';
import { startMayflyIn } from '../support/faults/surroundings.ts';
import { ask, parseRawAnswer, startHttp } from '../integration/http-harness.ts';

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo).toBe(true);
}

interface Peer {
  readonly socket: Socket;
  /** Returns the data received so far. */
  readonly read: () => string;
  readonly isOpen: () => boolean;
}

async function openPeer(port: number, from: string): Promise<Peer> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from });
  onTestFinished(() => {
    socket.destroy();
  });
  let text = '';
  socket.on('error', () => undefined).on('data', (piece: Buffer) => (text += piece.toString('latin1')));
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  return { socket, read: () => text, isOpen: () => !socket.closed && !socket.readableEnded };
}

async function openPeers(port: number, from: string, count: number): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (let at = 0; at < count; at++) peers.push(await openPeer(port, from));
  return peers;
}

const healthz = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Reports whether a new connection from this address is served. */
async function isServed(port: number, from: string): Promise<boolean> {
  const peer = await openPeer(port, from);
  peer.socket.write(healthz);
  await until(() => peer.read() !== '' || !peer.isOpen());
  peer.socket.destroy();
  return peer.read().startsWith('HTTP/1.1 200 ');
}

it('returns 429 beyond the cap of an address, and twice as many of its /24', async () => {
  const metrics = createMetrics();
  const { port } = await startHttp({ settings: { connectionsPerAddressMax: 5 }, metrics });
  const held = await openPeers(port, '127.0.5.1', 5);
  const refused = await openPeer(port, '127.0.5.1');
  await until(() => !refused.isOpen());
  const { status, headers, json } = parseRawAnswer(refused.read());
  expect(status).toBe(429);
  expect(headers.toLowerCase()).toContain('retry-after: 5');
  expect(json).toMatchObject({ status: 'error', code: 'too_many_connections' });
  expect(metrics.httpRefused.of('address').value).toBe(1);
  // Its neighbours together get the same number again.
  held.push(...(await openPeers(port, '127.0.5.2', 5)));
  expect(await isServed(port, '127.0.5.3')).toBe(false);
  expect(await isServed(port, '127.0.6.1')).toBe(true);
  for (const { socket } of held) {
    socket.destroy();
    await once(socket, 'close');
  }
  await expect.poll(() => isServed(port, '127.0.5.1')).toBe(true);
});

it('listens on every address of `localhost`, and counts their connections together', async () => {
  const metrics = createMetrics();
  const { port } = await startHttp({ settings: { host: 'localhost' }, metrics });
  const addresses = await lookUpAll('localhost');
  for (const host of addresses) {
    const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`);
    expect(answer.status).toBe(200);
  }
  expect(await renderMetrics(metrics)).toContain(`mayfly_http_connections ${addresses.length}\n`);
});

it('leaves three quarters of all connections to others, however large the cap of an address is', async () => {
  const { port } = await startHttp({ settings: { connectionsMax: 40, connectionsPerAddressMax: 1000 } });
  const held = await openPeers(port, '127.0.5.1', 60);
  await until(() => held.filter((peer) => peer.isOpen()).length === 10);
  expect(await isServed(port, '127.0.6.1')).toBe(true);
});

it('closes the connection idle for longest when all are taken', async () => {
  const { port } = await startHttp({ settings: { connectionsMax: 8, connectionsPerAddressMax: 2 } });
  const held: Peer[] = [];
  for (let at = 1; at <= 4; at++) held.push(...(await openPeers(port, `127.0.${at}.1`, 2)));
  // After the first is used, the second has been idle longest.
  held[0]?.socket.write(healthz);
  await until(() => held[0]?.read() !== '');
  expect(await isServed(port, '127.0.9.1')).toBe(true);
  await until(() => held.filter((peer) => !peer.isOpen()).length === 1);
  expect(held[1]?.isOpen()).toBe(false);
});

it('keeps connections with a request in progress and returns 503 when all are such', async () => {
  const harness = await startHttp({ settings: { connectionsMax: 4, connectionsPerAddressMax: 1 } });
  const { token } = await harness.lend();
  const waits: Peer[] = [];
  for (let at = 1; at <= 4; at++) {
    const peer = await openPeer(harness.port, `127.0.${at}.1`);
    peer.socket.write(
      `GET /check-mail?wait=60 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    waits.push(peer);
  }
  await until(() => harness.countLive() === 4);
  const refused = await openPeer(harness.port, '127.0.9.1');
  await until(() => !refused.isOpen());
  expect(parseRawAnswer(refused.read())).toMatchObject({ status: 503, json: { code: 'unavailable' } });
  expect(waits.every((peer) => peer.isOpen())).toBe(true);
});

it('counts the requests of each client behind a trusted proxy, and never the proxy', async () => {
  const settings = { connectionsPerAddressMax: 3, trustedProxies: ['127.0.0.1'] };
  const harness = await startHttp({ settings });
  const { token } = await harness.lend();
  const wait = async (client: string): Promise<Peer> => {
    const peer = await openPeer(harness.port, '127.0.0.1');
    peer.socket.write(
      `GET /check-mail?wait=60 HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n` +
        `Authorization: Bearer ${token}\r\n\r\n`,
    );
    return peer;
  };
  await openPeers(harness.port, '127.0.0.1', 20);
  for (let at = 0; at < 3; at++) await wait('192.0.2.1');
  await until(() => harness.countLive() === 3);
  const asked = (client: string): Promise<{ status: number }> =>
    ask(harness, '/session', { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': client } });
  expect((await asked('192.0.2.1')).status).toBe(429);
  expect((await asked('198.51.100.1')).status).toBe(200);
  // Values a client adds before the proxy's own are ignored.
  expect((await asked('203.0.113.9, 192.0.2.1')).status).toBe(429);
  harness.closeLive();
  await expect.poll(async () => (await asked('192.0.2.1')).status).toBe(200);
});

it('one address cannot take the descriptors that mail, the store and others need', async () => {
  const mayfly = await startMayflyIn('ulimit -n 400', {});
  const { email, token } = await mayfly.lend();
  const port = Number(new URL(mayfly.origin).port);
  for (const from of ['127.0.5.1', '127.0.6.1', '127.0.7.1', '127.0.8.1']) await openPeers(port, from, 150);
  expect(await isServed(port, '127.0.9.1')).toBe(true);
  const client = new SmtpClient(await connectFrom('127.0.9.2', mayfly.smtpPort));
  expect(await client.readReply()).toMatch(/^220 /);
  await client.command('EHLO client.test');
  expect(await client.deliver('Subject: still here\r\n\r\nbody\r\n', email)).toMatch(/^250 /);
  expect((await mayfly.checkMail(token)).map(({ subject }) => subject)).toEqual(['still here']);
  expect(mayfly.log).toContain('descriptors.few');
});

it('cuts and refuses the network of a connection that pipelines without end, and no other', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const { port } = harness;
  const waiting = `GET /wait-mail HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const [stranger] = await openPeers(port, '127.0.6.1', 1);
  const [modest, ...flooding] = await openPeers(port, '127.0.5.1', 4);
  modest?.socket.write(waiting + healthz.repeat(900));
  await until(() => harness.countLive() === 1);
  expect(await isServed(port, '127.0.5.1')).toBe(true);
  for (const { socket } of flooding) socket.write(waiting + healthz.repeat(1100));
  await until(() => [modest, ...flooding].every((peer) => peer?.isOpen() === false));
  expect(await isServed(port, '127.0.5.1')).toBe(false);
  expect(await isServed(port, '127.0.5.2')).toBe(true);
  expect(await isServed(port, '127.0.6.1')).toBe(true);
  expect(stranger?.isOpen()).toBe(true);
});
