// Event streams in other clients: curl -N, a browser's EventSource, and both sides of a buffering proxy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

import { chromium } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { headlessShell } from '../support/page/chromium.ts';
import { openStream } from '../support/clients/event-source.ts';
import { startHttpHaproxy } from '../support/servers/haproxy.ts';
import { startNginx } from '../support/servers/nginx-proxy.ts';
import { ask, startHttp } from '../integration/http-harness.ts';

const patient = { timeout: 300_000 };

const mail = (subject: string): string => `From: a@b.example\r\nSubject: ${subject}\r\n\r\nHello\r\n`;

/** Relays bytes both ways until all connections are cut. */
async function startRelay(target: number): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    pipeline(client, upstream, client, () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, cut };
}

async function startWithSession() {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const deliver = (subject: string): Promise<number> => harness.deliver(mail(subject), [session]);
  return { harness, token, deliver };
}

it('arrives event by event in curl -N', async () => {
  const { harness, token, deliver } = await startWithSession();
  const curl = spawn('curl', [
    ...['-sN', '-H', `Authorization: Bearer ${token}`],
    `${harness.origin}/events`,
  ]);
  onTestFinished(() => {
    curl.kill();
  });
  let text = '';
  curl.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await expect.poll(() => text).toBe('retry: 2000\n');
  for (const subject of ['one', 'two']) {
    await deliver(subject);
    await expect.poll(() => text).toContain(`"subject":"${subject}"`);
  }
});

it.each([
  ["nginx with Debian's settings: buffering and compression on", startNginx],
  ['HAProxy reading HTTP', startHttpHaproxy],
])('arrives at once through %s', async (_name, startProxy) => {
  const { harness, token, deliver } = await startWithSession();
  const port = await startProxy(harness.port);
  const stream = await openStream({ port }, { token, headers: { 'accept-encoding': 'gzip' } });
  await stream.until(() => stream.retries.length > 0);
  expect(stream.response.headers).not.toHaveProperty('content-encoding');
  // Sooner than the poll that compensates for a lost wake-up; a busy machine may be late at times.
  let soonest = Infinity;
  for (let count = 0; count < 20 && soonest >= 1500; count++) {
    await deliver(`number ${count}`);
    const began = performance.now();
    await stream.until(() => stream.events.at(-1)?.data['subject'] === `number ${count}`);
    soonest = Math.min(soonest, performance.now() - began);
  }
  expect(soonest).toBeLessThan(1500);
  stream.close();
  await expect.poll(() => harness.countLive(), patient).toBe(0);
  const waiting = ask({ port }, `/wait-mail?subject=three&token=${token}`);
  await expect.poll(() => harness.countLive(), patient).toBe(1);
  await deliver('three');
  expect((await waiting).json.message.subject).toBe('three');
});

it("is read by a browser's EventSource, which resumes by itself after a cut", async () => {
  const { harness, token, deliver } = await startWithSession();
  const relay = await startRelay(harness.port);
  const origin = `http://127.0.0.1:${relay.port}`;
  const browser = await chromium.launch({ executablePath: headlessShell, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  // The response's own policy allows its page no connections; a page of the same origin without a policy may connect.
  await page.route('**/blank', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }),
  );
  await page.goto(`${origin}/blank`);
  const log = (): Promise<string[]> => page.evaluate('window.seen');
  await page.evaluate(`
    window.seen = [];
    window.source = new EventSource('/events?token=${token}');
    source.onopen = () => seen.push('open');
    for (const kind of ['message.received', 'session.expired']) {
      source.addEventListener(kind, (event) => seen.push(event.lastEventId + ' ' + (JSON.parse(event.data).subject ?? kind)));
    }
  `);
  await expect.poll(log).toEqual(['open']);
  await deliver('one');
  await expect.poll(log).toEqual(['open', '1 one']);
  relay.cut();
  await deliver('two');
  await expect.poll(log).toEqual(['open', '1 one', 'open', '2 two']);
  await ask(harness, `/end-session?token=${token}`, { method: 'POST' });
  await expect.poll(log).toEqual(['open', '1 one', 'open', '2 two', '3 session.expired']);
});
