// R6: peers that send a byte now and then and hold their connections, on both listeners; R7: connections opened and
// closed as fast as possible, and more of them than there are descriptors. Others are served meanwhile.

import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { atMost, isFull, report, scaled } from '../support/faults/fault-scale.ts';
import type { MayflyProcess } from '../support/service/mayfly-process.ts';
import {
  connectFrom,
  cpuOf,
  memoryOf,
  startUnderFault,
  useOnce,
  useUntil,
} from '../support/faults/service-under-fault.ts';
import { startMayflyIn } from '../support/faults/surroundings.ts';

const slowEach = scaled(150, 2000);
const seconds = scaled(5, 120);
/** Ten connections per address stay below the limit of 20. */
const addressOf = (at: number): string => `127.1.${Math.floor(at / 10) % 250}.1`;
const settings = {
  MAYFLY_LOG_LEVEL: 'info',
  MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  MAYFLY_SMTP_MESSAGES_PER_MINUTE: '0',
};
// Lifts the limits that the other user would meet; those on connections stay.
const user = {
  MAYFLY_LIMITS_REQUESTS_PER_MINUTE: '0',
  MAYFLY_LIMITS_CREATES_PER_MINUTE: '0',
  MAYFLY_LIMITS_CREATES_PER_DAY: '0',
  MAYFLY_LIMITS_SESSIONS_PER_ADDRESS: '0',
};

const smtpStarts = ['E', 'EHLO slow.test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<', 'EHLO slow.test\r\n'];
const httpStarts = [
  'GET /check-mail HTTP/1.1\r\nHost: 127.0.0.1\r\nX-',
  'POST /create-session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\nContent-Type: application/json\r\n\r\n{',
];

it(`${slowEach} slow peers on each side delay no other client`, { timeout: 600_000 }, async () => {
  const mayfly = await startUnderFault({
    ...settings,
    ...user,
    MAYFLY_SMTP_CONNECTS_PER_MINUTE: '0',
    MAYFLY_SMTP_CONNECTIONS_MAX: '5000',
    MAYFLY_SMTP_CONNECTIONS_PER_SITE_MAX: '0',
  });
  const httpPort = Number(new URL(mayfly.origin).port);
  const sockets: Socket[] = [];
  for (let at = 0; at < slowEach; at++) {
    const smtp = await connectFrom(addressOf(at), mayfly.smtpPort);
    // After the greeting, like a well-behaved client.
    smtp.once('data', () => smtp.write(smtpStarts[at % smtpStarts.length] ?? ''));
    const http = await connectFrom(addressOf(at), httpPort);
    http.write(httpStarts[at % httpStarts.length] ?? '');
    sockets.push(smtp, http);
  }
  const drip = setInterval(
    () => {
      for (const socket of sockets) if (socket.writable) socket.write('a');
    },
    isFull ? 5000 : 1000,
  );
  const until = performance.now() + seconds * 1000;
  const used = await useUntil(mayfly, '127.0.0.3', () => performance.now() > until);
  clearInterval(drip);
  const memory = await memoryOf(mayfly);
  report('R6 slow peers', { 'on each side': slowEach, seconds, ...used, 'RSS MiB': memory.now });
  expect(used.mailP99).toBeLessThan(atMost(1000));
  expect(used.readP99).toBeLessThan(atMost(1000));
  expect(used.count).toBeGreaterThan(scaled(0, 10));
});

it('HTTP peers that do not finish their headers are cut', { timeout: 300_000 }, async () => {
  const mayfly = await startUnderFault(settings);
  const socket = await connectFrom('127.0.0.4', Number(new URL(mayfly.origin).port));
  const closed = new Promise((resolve) => socket.resume().once('end', resolve).once('close', resolve));
  socket.write(httpStarts[0] ?? '');
  const startedAt = performance.now();
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(60_000);
});

it(
  'a flood of connections from one address is refused, and others are served',
  { timeout: 600_000 },
  async () => {
    const mayfly = await startUnderFault({ ...settings, ...user });
    const until = performance.now() + seconds * 1000;
    let opened = 0;
    const flood = async (): Promise<void> => {
      while (performance.now() < until) {
        const socket = await tryToConnect('127.0.0.2', mayfly.smtpPort);
        opened += 1;
        socket?.destroy();
      }
    };
    const flooding = Promise.all(Array.from({ length: 8 }, flood));
    // Few enough for the limit of connections a minute.
    const address = (at: number): string => `127.0.2.${1 + (at % 200)}`;
    const lent = await mayfly.lend();
    const mails: number[] = [];
    for (let at = 0; performance.now() < until; at++) {
      mails.push((await useOnce(mayfly, lent, address(at))).mailMs);
      await delay(100);
    }
    await flooding;
    const lines = mayfly.log.split('\n').filter((line) => line.includes('smtp.connection_refused')).length;
    const slowest = Math.round(Math.max(...mails));
    report('R7 flood', { connections: opened, seconds, 'slowest mail ms': slowest, 'log lines': lines });
    expect(slowest).toBeLessThan(atMost(2000));
    expect(opened).toBeGreaterThan(scaled(10, 100));
    // Ten lines in ten seconds, and a count.
    expect(lines).toBeLessThan(12 * (seconds / 10 + 2));
  },
);

it(
  'without descriptors for more connections it neither spins nor exits, and recovers',
  { timeout: 300_000 },
  async () => {
    const mayfly = await startMayflyIn('ulimit -n 200', { ...settings, MAYFLY_LIMITS_RATE: 'off' });
    const held = await Promise.all(
      Array.from({ length: 300 }, (_, at) => tryToConnect(addressOf(at), mayfly.smtpPort)),
    );
    const before = await cpuOf(mayfly);
    await delay(3000);
    const share = (await cpuOf(mayfly)) - before;
    for (const socket of held) socket?.destroy();
    const startedAt = performance.now();
    await expect.poll(async () => statusOf(mayfly)).toBe(200);
    const until = performance.now() + 1000;
    const used = await useUntil(mayfly, '127.0.0.3', () => performance.now() > until);
    const recovered = Math.round(performance.now() - startedAt - 1000);
    report('R7 descriptors', { 'processor %': Math.round((share / 3) * 100), 'recovered ms': recovered });
    expect(share / 3).toBeLessThan(0.5);
    expect(used.count).toBeGreaterThan(0);
  },
);

/** Returns undefined when refused, as some connections are meant to be. */
function tryToConnect(from: string, port: number): Promise<Socket | undefined> {
  return connectFrom(from, port).then(
    (socket) => socket,
    () => undefined,
  );
}

/** Returns undefined while there is no response. */
function statusOf(mayfly: MayflyProcess): Promise<number | undefined> {
  return mayfly.call('/readyz').then(
    ({ status }) => status,
    () => undefined,
  );
}
