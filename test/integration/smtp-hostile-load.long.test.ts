// Messages built to take long, several at once and repeatedly: others are served in time meanwhile, and memory stays
// bounded. Long because its times are only meaningful when nothing else runs.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { memoryOf } from '../support/faults/memory-load.ts';
import { connectTo, type SmtpClient } from '../support/smtp/smtp-client.ts';

const mebibyte = 1024 * 1024;
const attackers = 4;
const attacksEach = 3;
const boundBytes = 250 * mebibyte;
const othersP99Ms = 1000;

/** Retries, as senders do, while the service is too busy for another connection. */
async function greet(port: number): Promise<SmtpClient> {
  for (;;) {
    const client = await connectTo(port);
    const greeting = await client.readReply();
    if (greeting.startsWith('220 ')) {
      await client.command('EHLO client.test');
      return client;
    }
    expect(greeting).toMatch(/^421 4\.3\.2 /);
    await client.closed;
    client.socket.destroy();
    await delay(50);
  }
}

/** Sends one message of this many bytes as fast as it is accepted. @returns the reply to it */
async function attack(port: number, to: string, { piece, bytes }: Hostile): Promise<string> {
  const client = await greet(port);
  await client.startData(to);
  for (let sent = 0; sent < bytes; sent += piece.length) {
    if (!client.socket.write(piece)) await once(client.socket, 'drain');
  }
  client.send('\r\n.\r\n');
  const reply = await client.readReply();
  client.socket.destroy();
  return reply;
}

/** Returns milliseconds from MAIL to 250 for small messages, until `isOver`. */
async function deliverMeanwhile(port: number, to: string, isOver: () => boolean): Promise<number[]> {
  const client = await greet(port);
  const times: number[] = [];
  while (!isOver() || times.length < 100) {
    const startedAt = performance.now();
    expect(await client.deliver('Subject: small\r\n\r\ntext\r\n', to)).toMatch(/^250/);
    times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b);
}

async function start(): Promise<MayflyProcess> {
  const data = await createDataFolder();
  onTestFinished(data.remove);
  const mayfly = await startMayfly(data.path, {
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
    MAYFLY_LIMITS_SESSION_BYTES: '0',
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LOG_LEVEL: 'error',
  });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

interface Hostile {
  readonly piece: Buffer;
  readonly bytes: number;
}

const ofLines = (line: string): Hostile => ({
  piece: Buffer.from(line.repeat(Math.ceil(64_000 / line.length))),
  bytes: 25 * mebibyte,
});

it.each<[string, Hostile, RegExp]>([
  ['25 MB of ..\\r\\n', ofLines('..\r\n'), /^250 /],
  ['25 MB of x\\r\\n', ofLines('x\r\n'), /^250 /],
  ['25 MB of \\r\\n', ofLines('\r\n'), /^250 /],
  ['25 MB of bare line feeds', ofLines('\n'), /^550 5\.6\.11 /],
  ['a line of 100 MB', { piece: Buffer.alloc(64_000, 'x'), bytes: 100 * mebibyte }, /^552 5\.3\.4 /],
])('while %s arrive four at once, other messages take a second at most', async (_, hostile, reply) => {
  const mayfly = await start();
  const [attacked, other] = [await mayfly.lend(), await mayfly.lend()];
  const before = await memoryOf(mayfly);
  let isOver = false;
  const attacks = Array.from({ length: attackers }, async () => {
    for (let count = 0; count < attacksEach; count++) {
      expect(await attack(mayfly.smtpPort, attacked.email, hostile)).toMatch(reply);
    }
  });
  const [times] = await Promise.all([
    deliverMeanwhile(mayfly.smtpPort, other.email, () => isOver),
    Promise.all(attacks).finally(() => {
      isOver = true;
    }),
  ]);
  const figures = [0.5, 0.99, 1].map((part) => Math.round(times[Math.ceil(part * times.length) - 1] ?? NaN));
  expect(
    times[Math.ceil(0.99 * times.length) - 1],
    `p50, p99 and max of ${times.length} in ms: ${figures.join(', ')}`,
  ).toBeLessThanOrEqual(othersP99Ms);
  const grownBytes = (await memoryOf(mayfly)).peak - before.now;
  expect(grownBytes, `${Math.round(grownBytes / mebibyte)} MiB more than when idle`).toBeLessThan(boundBytes);
});
