// Mailpit's WebSocket: what it tells, who may open it, and what it costs.

import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

import { MailpitIds } from '../../src/compat/mailpit/ids.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { ask, type Harness } from './http-harness.ts';

interface Sent {
  readonly Type: string;
  readonly Data: Readonly<Record<string, unknown>> | null;
}

interface Listening {
  readonly socket: Socket;
  readonly events: Sent[];
  readonly isClosed: () => boolean;
}

/** Shakes hands by hand, and reads text frames below 64 KiB, which is all that the service sends besides control frames. */
function listen(port: number, headers: Record<string, string>): Promise<Listening | { status: number }> {
  return new Promise((resolve, reject) => {
    const asked = request({
      port,
      host: '127.0.0.1',
      path: '/api/events',
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.from('0123456789abcdef').toString('base64'),
        ...headers,
      },
    });
    asked.on('error', (error) => {
      reject(new Error(`${JSON.stringify(headers)}: ${error.message}`));
    });
    asked.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    asked.on('upgrade', (_response, socket, head) => {
      const events: Sent[] = [];
      let isClosed = false;
      let bytes = head;
      const take = (): void => {
        while (bytes.length >= 2) {
          const short = bytes[1] as number;
          const from = short === 126 ? 4 : 2;
          if (bytes.length < from) return;
          const length = short === 126 ? bytes.readUInt16BE(2) : short;
          if (bytes.length < from + length) return;
          if (bytes[0] === 0x81) events.push(JSON.parse(bytes.toString('utf8', from, from + length)) as Sent);
          bytes = bytes.subarray(from + length);
        }
      };
      take();
      socket.on('data', (piece: Buffer) => {
        bytes = Buffer.concat([bytes, piece]);
        take();
      });
      socket.on('close', () => (isClosed = true)).on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      resolve({ socket, events, isClosed: () => isClosed });
    });
    asked.end();
  });
}

async function open(harness: Harness, headers: Record<string, string>): Promise<Listening> {
  const opened = await listen(harness.port, headers);
  if ('status' in opened) throw new Error(`Refused with ${opened.status}.`);
  return opened;
}

const basic = (token: string): string => `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
const mail = 'From: Ann <ann@example.org>\r\nSubject: Hello\r\n\r\nHi\r\n';

it('tells of mail that arrives, is read and is deleted, in Mailpit’s words', async () => {
  const harness = await startCompat();
  const { token, session } = await harness.lend('fox');
  const { events } = await open(harness, { authorization: basic(token) });
  await expect.poll(() => events.length).toBe(1);
  expect(events[0]).toEqual({ Type: 'stats', Data: { Total: 0, Unread: 0, Version: '0.0.0-test' } });
  const id = new MailpitIds(session).toId(await harness.deliver(mail, [session]));
  await expect.poll(() => events.length).toBe(3);
  expect(events[1]).toMatchObject({ Type: 'new', Data: { ID: id, Subject: 'Hello', Read: false } });
  expect(events[2]).toMatchObject({ Type: 'stats', Data: { Total: 1, Unread: 1 } });
  const change = (method: string, body: object) =>
    ask(harness, '/api/v1/messages', { method, headers: bearer(token), body: JSON.stringify(body) });
  await change('PUT', { IDs: [id], Read: true });
  await expect.poll(() => events.length).toBe(5);
  expect(events[3]).toEqual({ Type: 'update', Data: { ID: id, Read: true } });
  await change('DELETE', { IDs: [id] });
  await expect.poll(() => events.length).toBe(7);
  expect(events[5]).toEqual({ Type: 'delete', Data: { ID: id } });
});

it('is opened by a published library, and ends when the service stops', async () => {
  const harness = await startCompat();
  const { token } = await harness.lend();
  const client = new WebSocket(`ws://127.0.0.1:${harness.port}/api/events`, {
    headers: { authorization: basic(token) },
  });
  await once(client, 'open');
  expect(harness.countLive()).toBe(1);
  const closed = once(client, 'close');
  harness.closeLive();
  expect((await closed)[0]).toBe(1001);
  await expect.poll(() => harness.countLive()).toBe(0);
});

it('refuses strangers, pages of other sites, other hosts, and what is no handshake', async () => {
  const harness = await startCompat();
  const { token } = await harness.lend();
  const own = { authorization: basic(token) };
  expect(await listen(harness.port, {})).toEqual({ status: 401 });
  expect(await listen(harness.port, { ...own, origin: 'https://evil.example' })).toEqual({ status: 403 });
  expect(await listen(harness.port, { ...own, origin: 'null' })).toEqual({ status: 403 });
  expect(await listen(harness.port, { ...own, host: 'evil.example' })).toEqual({ status: 421 });
  expect(await listen(harness.port, { ...own, 'sec-websocket-version': '7' })).toEqual({ status: 400 });
  expect((await ask(harness, '/api/events', { headers: own })).status).toBe(400);
  await open(harness, { ...own, origin: harness.origin });
  expect(harness.countLive()).toBe(1);
});

it('holds a place among the streams of its session, and gives it back', async () => {
  const harness = await startCompat();
  const { token } = await harness.lend();
  const own = { authorization: basic(token) };
  const opened = [await open(harness, own), await open(harness, own), await open(harness, own)];
  expect(await listen(harness.port, own)).toEqual({ status: 429 });
  for (const { socket } of opened) socket.destroy();
  await expect.poll(() => harness.countLive()).toBe(0);
  await open(harness, own);
});

it('is cut off when the client sends anything but control frames', async () => {
  const harness = await startCompat();
  const { token } = await harness.lend();
  for (const frame of [
    // A masked text frame of one byte; and one of 4 KB, which is longer than any that is read.
    Buffer.from([0x81, 0x81, 0, 0, 0, 0, 65]),
    Buffer.concat([Buffer.from([0x81, 0xfe, 0x10, 0, 0, 0, 0, 0]), Buffer.alloc(4096)]),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ]) {
    const { socket, isClosed } = await open(harness, { authorization: basic(token) });
    socket.write(frame);
    // Answers the close frame, as a client does.
    socket.end();
    await expect.poll(isClosed).toBe(true);
  }
  await expect.poll(() => harness.countLive()).toBe(0);
});

it('ignores offers to change to another protocol, on every path', async () => {
  const harness = await startCompat();
  for (const upgrade of ['h2c', 'h2c, websocket', 'TLS/1.0']) {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAMAAABk' };
    expect((await ask(harness, '/livez', { headers })).status).toBe(200);
  }
  const handshake = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  expect((await ask(harness, '/livez', { headers: handshake })).status).toBe(200);
});
