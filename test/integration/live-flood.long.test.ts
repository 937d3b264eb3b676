// R8. Ten thousand event streams, or as many as STREAMS says: opened and dropped within seconds they leave nothing
// behind, and held idle they take little memory and time. Service and test need a file descriptor for each (ulimit
// -n).
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { openStream } from '../support/clients/event-source.ts';
import { type Lent, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { cpuOf, percentile99 } from '../support/faults/service-under-fault.ts';
import { connectTo } from '../support/smtp/smtp-client.ts';

const streams = Number(process.env['STREAMS'] ?? 10_000);
const perSession = 100;
/** Fewer than the ports available to a client per address. */
const perAddress = 20_000;
const idleMaxBytes = 25 * 1024;

async function start(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ mayfly: MayflyProcess; lents: readonly Lent[] }> {
  const folder = await useDataFolder();
  const mayfly = await startMayfly(folder, {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LOG_LEVEL: 'error',
    MAYFLY_LIVE_READERS_MAX: '0',
    MAYFLY_HTTP_CONNECTIONS_MAX: '0',
    MAYFLY_SMTP_CONNECTIONS_MAX: '100',
    ...settings,
  });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const lents = await Promise.all(Array.from({ length: streams / perSession }, () => mayfly.lend()));
  return { mayfly, lents };
}

/** Connects from a suitable address of 127/8. Resolves when the first bytes have arrived. */
function open(mayfly: MayflyProcess, { token }: Lent, nth: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.1.${1 + Math.floor(nth / perAddress)}`;
    const socket = connect({ port: Number(new URL(mayfly.origin).port), host: '127.0.0.1', localAddress });
    socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    socket.on('error', reject).once('data', () => {
      resolve(socket);
    });
  });
}

async function openAll(mayfly: MayflyProcess, lents: readonly Lent[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < streams) {
    const some = Array.from({ length: 200 }, (_, at) =>
      open(mayfly, lents[(sockets.length + at) % lents.length]!, sockets.length + at),
    );
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

const residentBytes = ({ child }: MayflyProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;

const countFiles = ({ child }: MayflyProcess): number => readdirSync(`/proc/${child.pid}/fd`).length;

it(`takes at most 25 KB for each of ${streams} idle streams, and little time`, async () => {
  const { mayfly, lents } = await start();
  await delay(2000);
  const before = residentBytes(mayfly);
  const sockets = await openAll(mayfly, lents);
  await delay(5000);
  const allBytes = residentBytes(mayfly);
  const perStream = (allBytes - before) / streams;
  const cpuBefore = await cpuOf(mayfly);
  await delay(10_000);
  const idleCpu = ((await cpuOf(mayfly)) - cpuBefore) / 10;
  const latencies = await measureEvents(mayfly);
  const droppedAt = performance.now();
  for (const socket of sockets) socket.destroy();
  expect((await mayfly.call('/healthz')).status).toBe(200);
  const figures = [
    `${streams} idle streams take ${Math.round(perStream / 102.4) / 10} KB each, ${Math.round(allBytes / 2 ** 20)} MiB in all`,
    `${Math.round(idleCpu * 100)} % of a core`,
    `250 to event p99 ${percentile99(latencies)} ms`,
    `answered ${Math.round(performance.now() - droppedAt)} ms after all were dropped`,
  ];
  process.stdout.write(`${figures.join(', ')}\n`);
  expect(perStream).toBeLessThan(idleMaxBytes);
  expect(idleCpu).toBeLessThan(0.3);
  expect(percentile99(latencies)).toBeLessThan(500);
});

/**
 * Opens one more session with a stream, sends it a hundred messages, and returns the time from each reply to its
 * event, ms.
 */
async function measureEvents(mayfly: MayflyProcess): Promise<number[]> {
  const lent = await mayfly.lend();
  const stream = await openStream({ port: Number(new URL(mayfly.origin).port) }, { token: lent.token });
  const client = await connectTo(mayfly.smtpPort);
  await client.readReply();
  await client.command('EHLO client.test');
  const latencies: number[] = [];
  for (let count = 1; count <= 100; count++) {
    expect(await client.deliver('Subject: one more\r\n\r\n', lent.email)).toMatch(/^250 /);
    const sentAt = performance.now();
    await stream.take(count);
    latencies.push(performance.now() - sentAt);
  }
  stream.close();
  return latencies;
}

it(`keeps nothing of ${streams} streams that were opened and dropped, five times over`, async () => {
  // Leaked streams would exceed it: each takes 12 KB or more.
  const heapMib = Math.ceil(streams / 50);
  const { mayfly, lents } = await start({ NODE_OPTIONS: `--max-old-space-size=${heapMib}` });
  await delay(1000);
  const files = countFiles(mayfly);
  for (let round = 0; round < 5; round++) {
    for (const socket of await openAll(mayfly, lents)) socket.destroy();
    expect((await mayfly.call('/healthz')).status).toBe(200);
    await expect.poll(() => countFiles(mayfly)).toBeLessThanOrEqual(files + 5);
  }
  expect((await mayfly.call('/check-mail', lents[0]!.token)).status).toBe(200);
  expect(await mayfly.stop()).toBe(0);
  expect(mayfly.log).toBe('');
});
