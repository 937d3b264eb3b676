// R4 in the database: its disk fills up under load (a small one that only PostgreSQL sees; the log is elsewhere, or
// the server would stop altogether). Mail is deferred, reading works, and free space restores everything without a
// restart.

import { open, rm } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { atMost, report } from '../support/faults/fault-scale.ts';
import { countAcknowledged, expectWhole, openLedgers, sendAll } from '../support/faults/ledger.ts';
import type { Lent, MayflyProcess } from '../support/service/mayfly-process.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { PostgresNodes, timeUntil } from '../support/postgres/postgres-nodes.ts';
import { createRandom } from '../support/random.ts';
import { memoryOf } from '../support/faults/service-under-fault.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';

const mebibyte = 1024 * 1024;
const postgres = usePostgresFixture({ smallDiskBytes: 96 * mebibyte });

/** Writes until the disk is full, and returns how much it took. */
async function fill(file: string): Promise<number> {
  const handle = await open(file, 'w');
  const block = Buffer.alloc(64 * 1024);
  let written = 0;
  try {
    for (;;) {
      const [done] = await Promise.allSettled([handle.write(block)]);
      if (done.status === 'rejected') {
        expect(done.reason).toMatchObject({ code: 'ENOSPC' });
        return written;
      }
      written += done.value.bytesWritten;
    }
  } finally {
    await handle.close();
  }
}

/** Returns replies to messages large enough to need new pages. */
async function replyTo(node: MayflyProcess, { email }: Lent): Promise<string> {
  const client = await greet(node.smtpPort);
  const reply = await sendMail(client, `Subject: large\r\n\r\n${'x'.repeat(900)}\r\n`.repeat(200), email);
  client.socket.destroy();
  return reply;
}

it('a database whose disk is full', { timeout: 300_000 }, async () => {
  const node = await new PostgresNodes(await postgres.createUrl()).start();
  const server = await postgres.server();
  const ledgers = await openLedgers(node, 4);
  const extra = await node.lend();
  let isOver = false;
  const sending = sendAll(node, ledgers, { random: createRandom(4), isOver: () => isOver, paceMs: 100 });
  await timeUntil(() => countAcknowledged(ledgers) >= 40, 60_000, 'the load is there');
  const before = await memoryOf(node);

  const ballast = path.join(server.smallDisk, 'ballast');
  await fill(ballast);
  const isFull = async (): Promise<boolean> => (await replyTo(node, extra)).startsWith('45');
  await timeUntil(isFull, 60_000, 'the disk is full');
  const replies = new Set<string>();
  for (let count = 0; count < 20; count++) replies.add((await replyTo(node, extra)).slice(0, 9));
  expect([...replies]).toEqual(['452 4.3.1']);
  for (const { lent } of ledgers) expect((await node.checkMail(lent.token)).length).toBeGreaterThan(0);
  expect((await node.call('/healthz')).status).toBe(200);
  const during = await memoryOf(node);

  await rm(ballast);
  const isTaken = async (): Promise<boolean> => (await replyTo(node, extra)).startsWith('250 ');
  const backMs = await timeUntil(isTaken, atMost(5000), 'mail is taken again');
  isOver = true;
  await sending;
  for (const ledger of ledgers) await expectWhole(node, ledger);
  report('R4 full database', {
    acknowledged: countAcknowledged(ledgers),
    lost: 0,
    'back ms': backMs,
    'RSS before MiB': before.now,
    'RSS meanwhile MiB': during.now,
  });
  expect(during.most).toBeLessThan(256);
  expect(await node.stop()).toBe(0);
});
