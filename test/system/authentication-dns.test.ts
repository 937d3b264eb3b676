// Mail sent to the built service while the DNS is silent, down or turned off: it is accepted and read in time, and
// delays nothing else.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { afterAll, describe, expect, it } from 'vitest';

import { readNewest, send, timed } from '../support/mail/checked-mail.ts';
import {
  createDataFolder,
  type MayflyProcess,
  runMayfly,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { createRsaKey, mailFrom, sign } from '../support/mail/signed-mail.ts';

const good = { domain: 'good.example', selector: 'rsa', key: createRsaKey() };
const cleanups: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

/** Less than the time a query may take. */
const soonMs = 1900;
const triesMax = 10;

/** Runs it until one run is fast enough, as a busy machine delays some. Returns the milliseconds of each. */
async function timesOf(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < triesMax && !times.some((ms) => ms < soonMs)) times.push((await timed(work)).ms);
  return times;
}

async function startService(servers: string): Promise<{ mayfly: MayflyProcess; dataDir: string }> {
  const data = await createDataFolder();
  cleanups.push(data.remove);
  const mayfly = await startMayfly(data.path, { MAYFLY_DNS_SERVERS: servers, MAYFLY_LIMITS_RATE: 'off' });
  cleanups.push(() => mayfly.stop());
  return { mayfly, dataDir: data.path };
}

/** Opens a port that receives queries and never answers. */
async function openBlackHole(): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanups.push(() => new Promise<void>((resolve) => socket.close(resolve)));
  return `127.0.0.1:${socket.address().port}`;
}

describe('with a name server that', () => {
  it.each([
    ['never answers', openBlackHole],
    ['is down', () => Promise.resolve('127.0.0.1:1')],
  ])('%s: mail is accepted at once, still read, and nothing else waits', async (_, open) => {
    const { mayfly, dataDir } = await startService(await open());
    const lent = await mayfly.lend();
    const raw = await sign(mailFrom('news@good.example'), good);
    // Starts the threads, so that only waiting is measured.
    await send(mayfly, mailFrom('me@nowhere.example'), { to: lent.email });
    await mayfly.checkMail(lent.token);
    const toSend = { from: 'news@good.example', to: lent.email };
    const sent = await timesOf(() => send(mayfly, raw, toSend));
    expect(Math.min(...sent)).toBeLessThan(soonMs);
    expect(Math.min(...(await timesOf(() => mayfly.checkMail(lent.token))))).toBeLessThan(soonMs);
    let isRead = false;
    const reading = readNewest(mayfly, lent).finally(() => (isRead = true));
    await mayfly.checkMail(lent.token);
    expect(isRead).toBe(false);
    const read = await reading;
    expect(read.authentication).toMatchObject({
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'temperror',
    });

    await runMayfly(dataDir, ['domain', 'add', 'mayfly.test', '--refuse-dmarc-reject']);
    await send(mayfly, raw, toSend);
    expect(await mayfly.checkMail(lent.token)).toHaveLength(2 + sent.length);
  });
});

it('sends no queries when checks are off', async () => {
  const { mayfly } = await startService('none');
  const lent = await mayfly.lend();
  await send(mayfly, mailFrom('news@good.example'), { from: 'news@good.example', to: lent.email });
  const checked = await readNewest(mayfly, lent);
  expect(checked.authentication).toEqual({ spf: null, dkim: null, dmarc: null, arc: null });
  expect(checked.authentication_details).toBeNull();
});
