// Ten thousand event streams: opened and dropped within seconds they leave nothing behind, and held idle they take
// little memory. Needs 11,000 file descriptors on each side.
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder, type Lent, type MayflyProcess, startMayfly } from '../support/mayfly-process.ts';

const streams = 10_000;
const perSession = 100;
const idleMaxBytes = 25 * 1024;

async function start(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ mayfly: MayflyProcess; lents: readonly Lent[] }> {
  const folder = await createDataFolder();
  onTestFinished(folder.remove);
  const mayfly = await startMayfly(folder.path, {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LOG_LEVEL: 'error',
    ...settings,
  });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const lents = await Promise.all(Array.from({ length: streams / perSession }, () => mayfly.lend()));
  return { mayfly, lents };
}

/** Resolves when the first bytes have come. */
function open(mayfly: MayflyProcess, { token }: Lent): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(mayfly.origin).port), '127.0.0.1');
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
      open(mayfly, lents[(sockets.length + at) % lents.length]!),
    );
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

const residentBytes = ({ child }: MayflyProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;

const countFiles = ({ child }: MayflyProcess): number => readdirSync(`/proc/${child.pid}/fd`).length;

it('takes at most 25 KB for an idle stream', async () => {
  const { mayfly, lents } = await start();
  await delay(2000);
  const before = residentBytes(mayfly);
  const sockets = await openAll(mayfly, lents);
  await delay(5000);
  const perStream = (residentBytes(mayfly) - before) / streams;
  for (const socket of sockets) socket.destroy();
  process.stdout.write(`an idle stream takes ${Math.round(perStream / 102.4) / 10} KB\n`);
  expect(perStream).toBeLessThan(idleMaxBytes);
});

it('has nothing left of 10,000 streams that were opened and dropped, five times over', async () => {
  // Streams that stayed would not fit: they take 12 KB or more of it each.
  const { mayfly, lents } = await start({ NODE_OPTIONS: '--max-old-space-size=200' });
  await delay(1000);
  const files = countFiles(mayfly);
  for (let round = 0; round < 5; round++) {
    for (const socket of await openAll(mayfly, lents)) socket.destroy();
    expect((await mayfly.call('/healthz')).status).toBe(200);
    await expect.poll(() => countFiles(mayfly), { timeout: 20_000 }).toBeLessThanOrEqual(files + 5);
  }
  expect((await mayfly.call('/check-mail', lents[0]!.token)).status).toBe(200);
  expect(await mayfly.stop()).toBe(0);
  expect(mayfly.log).toBe('');
});
