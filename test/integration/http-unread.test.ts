// Responses requested but never read: the memory for them is bounded per session, per network and in total, on every
// route, and no other client waits for it.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { defaultTimeouts, type HttpTimeouts } from '#http-parts/server-limits';
import { createMetrics, type Metrics, renderMetrics } from '../../src/observe/metrics.ts';
import { override } from '../support/override.ts';
import { ask, type Harness, speak, startHttp } from './http-harness.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** Does not read until `resume`. */
async function connectPaused(harness: Harness, from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: harness.port, localAddress: from });
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return socket.pause();
}

function toRequest(target: string, token: string, more = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
}

function mailOf(bytes: number): string {
  return `From: a@example.org\r\nSubject: Large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(Math.ceil(bytes / 78))}`;
}

interface CountingOptions {
  readonly timeouts?: HttpTimeouts;
  readonly settings?: { readonly unreadMaxBytes: number };
}

/** Starts the harness, with a count of the messages being read from the store, and its metrics. */
async function startCounting(options: CountingOptions = {}) {
  const open = { now: 0, most: 0, begun: 0 };
  const metrics = createMetrics();
  const harness = await startHttp({
    ...options,
    metrics,
    wrapDeps: (deps) => ({
      ...deps,
      mail: override(deps.mail, {
        async *readRaw(key, id) {
          open.begun += 1;
          open.now += 1;
          open.most = Math.max(open.most, open.now);
          try {
            yield* deps.mail.readRaw(key, id);
          } finally {
            open.now -= 1;
          }
        },
      }),
    }),
  });
  return { harness, open, metrics };
}

async function readMetric(metrics: Metrics, name: string): Promise<number> {
  const line = (await renderMetrics(metrics)).split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

it('opens one response at a time of 590 pipelined requests, and sends all of them to a reading client', async () => {
  const { harness, open } = await startCounting();
  const { token, session } = await harness.lend();
  const id = await harness.deliver(mailOf(300 * kilobyte), [session]);
  const requests = toRequest(`/raw-mail?id=${id}`, token).repeat(590);
  const paused = await Promise.all(Array.from({ length: 4 }, () => connectPaused(harness)));
  for (const socket of paused) socket.write(requests);
  // Once the kernel's buffers are full, nothing moves until a client reads.
  await expect.poll(() => open.now).toBe(4);
  const answers = await speak(
    harness,
    toRequest(`/raw-mail?id=${id}`, token).repeat(49) +
      toRequest(`/raw-mail?id=${id}`, token, 'Connection: close\r\n'),
  );
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(50);
  expect(open.most).toBeLessThanOrEqual(5);
  expect(open.begun).toBeLessThan(4 * 590);
});

it('answers pipelined requests in order, whichever is done first', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const targets = ['/check-mail?wait=1', '/healthz', '/nope', '/session', '/domains'];
  const all = targets.map((target) => toRequest(target, token)).join('');
  const answers = await speak(harness, all + toRequest('/healthz', token, 'Connection: close\r\n'));
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  expect(statuses.slice(1)).toEqual([200, 404, 200, 200, 200]);
  expect(statuses).toHaveLength(6);
});

it('reads the bodies of pipelined requests, each in turn', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const body = JSON.stringify({ pad: 'x'.repeat(30_000) });
  const post = (more = ''): string =>
    `POST /extend-session?seconds=600 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
    `Content-Type: application/json\r\nContent-Length: 2\r\n${more}\r\n{}`;
  const large =
    `POST /create-session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const answers = await speak(
    harness,
    large + post() + large + post() + toRequest('/healthz', token, 'Connection: close\r\n'),
  );
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  expect(statuses).toHaveLength(5);
  expect(statuses[4]).toBe(200);
  expect(session.address).toContain('@');
});

it('cuts a connection that sends thousands of requests without waiting', async () => {
  const { harness } = await startCounting();
  const { token, session } = await harness.lend();
  const id = await harness.deliver(mailOf(4 * megabyte), [session]);
  const socket = await connectPaused(harness);
  const closed = once(socket, 'close');
  socket.write(toRequest(`/raw-mail?id=${id}`, token).repeat(5000));
  socket.resume();
  await closed;
  expect(socket.bytesRead).toBeLessThan(5000 * 4 * megabyte);
});

/** A message with a large response on every route that returns messages. */
function hostileMail(): string {
  const base64 = (head: number[]): string =>
    Buffer.concat([Buffer.from(head), Buffer.alloc(5 * megabyte, 'x')])
      .toString('base64')
      .replace(/.{76}/g, '$&\r\n');
  return [
    'From: a@example.org\r\nSubject: Large\r\nContent-Type: multipart/mixed; boundary=b\r\n',
    `--b\r\nContent-Type: text/html\r\n\r\n${`<p>${'word '.repeat(14)}</p>\r\n`.repeat(5000)}`,
    `--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])}`,
    '--b--\r\n',
  ].join('\r\n');
}

it.each([
  '/raw-mail?id=1',
  '/attachment?id=1&part=',
  '/inline-image?id=1&part=',
  '/html-mail?id=1',
  '/read-mail?id=1',
])('buffers no more of %s than its reader may leave unread, and serves another client', async (route) => {
  const unreadMaxBytes = 8 * megabyte;
  const { harness, metrics } = await startCounting({ settings: { unreadMaxBytes } });
  const raw = hostileMail();
  const { token, session } = await harness.lend();
  const { token: another, session: anothers } = await harness.lend();
  await harness.deliver(raw, [session]);
  await harness.deliver(raw, [anothers]);
  const part = await partOf(harness, token);
  const target = route.endsWith('part=') ? route + part : route;
  for (let at = 0; at < 12; at++) {
    const socket = await connectPaused(harness);
    socket.write(toRequest(target, token).repeat(40));
  }
  const refused = metrics.httpRefused.of('unread');
  await expect.poll(() => refused.value).toBeGreaterThan(0);
  // A session's share is an eighth of the total.
  const held = await readMetric(metrics, 'mayfly_http_unread_bytes');
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThanOrEqual(unreadMaxBytes / 8);
  const answer = await askFrom(harness, '127.0.7.1', toRequest(target, another, 'Connection: close\r\n'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
});

async function partOf(harness: Harness, token: string): Promise<string> {
  const answer = await ask(harness, '/read-mail?id=1', { headers: { authorization: `Bearer ${token}` } });
  return answer.json.message.attachments[0].id as string;
}

/** Resolves with all data received until the server closes. */
async function askFrom(harness: Harness, from: string, request: string): Promise<string> {
  const socket = await connectPaused(harness, from);
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece)).resume();
  const closed = once(socket, 'close');
  socket.write(request);
  await closed;
  return Buffer.concat(pieces).toString('latin1');
}

it('cuts a client that reads nothing of its response, and none that reads a little', async () => {
  const timeouts = { ...defaultTimeouts, progress: { windowMs: 2000, bytes: 16 * kilobyte } };
  const { harness, open, metrics } = await startCounting({ timeouts });
  const { token, session } = await harness.lend();
  const id = await harness.deliver(mailOf(16 * megabyte), [session]);
  const request = toRequest(`/raw-mail?id=${id}`, token, 'Connection: close\r\n');
  const slow = await connectPaused(harness);
  const ended = once(slow, 'close');
  slow.write(request);
  const sips = setInterval(() => {
    slow.resume();
    slow.once('data', () => slow.pause());
  }, 10);
  onTestFinished(() => {
    clearInterval(sips);
  });
  const paused = await connectPaused(harness);
  paused.write(request);
  await expect.poll(() => open.now).toBe(2);
  await expect.poll(() => metrics.httpRefused.of('stalled').value).toBe(1);
  await ended;
  expect(slow.bytesRead).toBeGreaterThan(16 * megabyte);
  expect(open.now).toBe(0);
});

it('when clients that do not read hold all memory, one of them makes room for one that does', async () => {
  const { harness, open } = await startCounting({ settings: { unreadMaxBytes: megabyte } });
  const { session, token } = await harness.lend();
  const id = await harness.deliver(mailOf(16 * megabyte), [session]);
  for (const from of ['127.0.1.1', '127.0.2.1']) {
    const owner = await harness.lend();
    const own = await harness.deliver(mailOf(16 * megabyte), [owner.session]);
    const paused = await connectPaused(harness, from);
    paused.write(toRequest(`/raw-mail?id=${own}`, owner.token));
  }
  await expect.poll(() => open.now).toBe(2);
  const read = async (): Promise<string> => {
    const request = toRequest(`/raw-mail?id=${id}`, token, 'Connection: close\r\n');
    return (await askFrom(harness, '127.0.3.1', request)).slice(0, 15);
  };
  expect(await read()).toBe('HTTP/1.1 503 Se');
  await expect.poll(read, { timeout: 30_000, interval: 500 }).toBe('HTTP/1.1 200 OK');
});
