// Mail sent to the built service while the DNS is silent, down or turned off: it is taken and read in time, and nobody
// else waits.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

import { afterAll, describe, expect, it } from 'vitest';

import { readNewest, send, timed } from '../support/checked-mail.ts';
import { createDataFolder, type MayflyProcess, runMayfly, startMayfly } from '../support/mayfly-process.ts';
import { createRsaKey, mailFrom, sign } from '../support/signed-mail.ts';

const good = { domain: 'good.example', selector: 'rsa', key: createRsaKey() };
const cleanups: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

async function startService(servers: string): Promise<{ mayfly: MayflyProcess; dataDir: string }> {
  const data = await createDataFolder();
  cleanups.push(data.remove);
  const mayfly = await startMayfly(data.path, { MAYFLY_DNS_SERVERS: servers, MAYFLY_LIMITS_RATE: 'off' });
  cleanups.push(() => mayfly.stop());
  return { mayfly, dataDir: data.path };
}

/** A port that takes questions and never answers. */
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
  ])('%s: mail is taken at once, read within 2.5 s, and others wait for nothing', async (_, open) => {
    const { mayfly, dataDir } = await startService(await open());
    const lent = await mayfly.lend();
    const raw = await sign(mailFrom('news@good.example'), good);
    // So that the threads run, and what is measured is waiting.
    await send(mayfly, mailFrom('me@nowhere.example'), { to: lent.email });
    await mayfly.checkMail(lent.token);
    const sent = await timed(() => send(mayfly, raw, { from: 'news@good.example', to: lent.email }));
    expect(sent.ms).toBeLessThan(1900);
    const listed = await timed(() => mayfly.checkMail(lent.token));
    expect(listed.ms).toBeLessThan(1900);
    const reading = timed(() => readNewest(mayfly, lent));
    let slowestMs = 0;
    for (let at = 0; at < 10; at++) {
      slowestMs = Math.max(slowestMs, (await timed(() => mayfly.checkMail(lent.token))).ms);
    }
    const read = await reading;
    expect(read.value.authentication).toMatchObject({
      spf: 'temperror',
      dkim: 'temperror',
      dmarc: 'temperror',
    });
    expect(read.ms).toBeLessThan(3000);
    expect(slowestMs).toBeLessThan(1000);

    await runMayfly(dataDir, ['domain', 'add', 'mayfly.test', '--refuse-dmarc-reject']);
    const taken = await timed(() => send(mayfly, raw, { from: 'news@good.example', to: lent.email }));
    expect(taken.ms).toBeLessThan(2800);
    expect(await mayfly.checkMail(lent.token)).toHaveLength(3);
  });
});

it('asks nothing when checks are off', async () => {
  const { mayfly } = await startService('none');
  const lent = await mayfly.lend();
  await send(mayfly, mailFrom('news@good.example'), { from: 'news@good.example', to: lent.email });
  const checked = await readNewest(mayfly, lent);
  expect(checked.authentication).toEqual({ spf: null, dkim: null, dmarc: null, arc: null });
  expect(checked.authentication_details).toBeNull();
});
