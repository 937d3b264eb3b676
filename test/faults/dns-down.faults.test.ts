// R20: name servers that do not respond, or respond with failure. Mail is accepted as fast as ever, also for a domain
// that checks DMARC for each message, and reads report `temperror`.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

import { expect, it, onTestFinished } from 'vitest';

import { atMost, report, scaled } from '../support/faults/fault-scale.ts';
import { runMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { percentile99, startUnderFault, useOnce } from '../support/faults/service-under-fault.ts';

async function listen(answer: (query: Buffer) => Buffer | undefined): Promise<string> {
  const server: Socket = createSocket('udp4');
  server.on('message', (query, from) => {
    const reply = answer(query);
    if (reply) server.send(reply, from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${server.address().port}`;
}

/** RFC 1035 §4.1.1: the question repeated, with QR set and RCODE 2. */
function serverFailure(query: Buffer): Buffer {
  const reply = Buffer.from(query);
  reply[2] = 0x81;
  reply[3] = 0x82;
  return reply;
}

it.each([
  ['say nothing', () => undefined],
  ['answer SERVFAIL', serverFailure],
])('while name servers %s', { timeout: 300_000 }, async (what, answer) => {
  const dataDir = await useDataFolder();
  const settings = {
    MAYFLY_DNS_SERVERS: await listen(answer),
    MAYFLY_DNS_TIMEOUT_MS: '1000',
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  };
  const mayfly = await startUnderFault(settings, dataDir);
  const lent = await mayfly.lend();
  const plain: number[] = [];
  for (let count = 0; count < 100; count++) plain.push((await useOnce(mayfly, lent, '127.0.0.1')).mailMs);
  await runMayfly(dataDir, ['domain', 'add', 'mayfly.test', '--refuse-dmarc-reject'], settings);
  const asked: number[] = [];
  for (let count = 0; count < 5; count++) asked.push((await useOnce(mayfly, lent, '127.0.0.1')).mailMs);
  report(`R20 name servers ${what}`, {
    'mail p99 ms': percentile99(plain),
    'with DMARC asked, ms': percentile99(asked),
  });
  // None waits for a name server, or all would; a busy machine may delay some.
  expect(plain.filter((ms) => ms >= 1000).length).toBeLessThanOrEqual(scaled(50, 1));
  expect(percentile99(asked)).toBeLessThan(atMost(5000));
  expect((await mayfly.call('/readyz')).status).toBe(200);
});
