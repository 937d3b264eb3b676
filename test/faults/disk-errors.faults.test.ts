// R3: failing fsync, writes and opens; R4: a full disk. What cannot be stored is not acknowledged, what was
// acknowledged stays, and a service that cannot trust its file any more exits.

import { expect, it, onTestFinished } from 'vitest';

import { report } from '../support/fault-scale.ts';
import { createFaultyDisk, type FaultyDisk } from '../support/faulty-disk.ts';
import {
  countAcknowledged,
  expectWhole,
  type Ledger,
  openLedgers,
  sendAll,
  unlimited,
} from '../support/ledger.ts';
import { type MayflyProcess, startMayfly } from '../support/mayfly-process.ts';
import { createRandom } from '../support/random.ts';
import { sha256 } from '../support/sent-mails.ts';
import { greet } from '../support/smtp-client.ts';

async function start(dataDir: string, settings: Readonly<Record<string, string>>): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function startOnFaultyDisk(): Promise<{
  disk: FaultyDisk;
  mayfly: MayflyProcess;
  ledgers: Ledger[];
}> {
  const disk = await createFaultyDisk();
  const mayfly = await start(disk.dataDir, { ...unlimited, ...disk.settings });
  return { disk, mayfly, ledgers: await openLedgers(mayfly, 2) };
}

/** Sends until this many more are acknowledged, or the service exits. */
async function sendMore(mayfly: MayflyProcess, ledgers: readonly Ledger[], count: number): Promise<void> {
  const until = countAcknowledged(ledgers) + count;
  await sendAll(mayfly, ledgers, {
    random: createRandom(3),
    isOver: () => countAcknowledged(ledgers) >= until,
  });
}

/** The message may be stored although its sender gets no reply and retries (RFC 1047). */
async function tryOne(mayfly: MayflyProcess, { lent, sent }: Ledger): Promise<string> {
  const raw = 'Subject: one\r\n\r\n';
  sent.add(sha256(Buffer.from(raw)));
  const client = await greet(mayfly.smtpPort);
  return client.deliver(raw, lent.email);
}

it.each(['sync', 'write'] as const)(
  'after a %s that fails with EIO the process exits, and every acknowledged message is there',
  async (what) => {
    const { disk, mayfly, ledgers } = await startOnFaultyDisk();
    await sendMore(mayfly, ledgers, 100);
    await disk.fail(what, 'EIO');
    const [first] = ledgers as [Ledger];
    // Nothing is acknowledged with a file that cannot be trusted. The process may have exited already: earlier
    // messages are still checkpointed.
    const reply = await tryOne(mayfly, first).catch((error: unknown) => String(error));
    expect(reply).toMatch(/^4|closed the connection|ECONNRE/);
    await expect.poll(() => mayfly.isRunning, { timeout: 10_000 }).toBe(false);
    expect(await mayfly.stop()).toBe(70);
    expect(mayfly.log).toContain('store.broken');
    const again = await start(disk.dataDir, unlimited);
    for (const ledger of ledgers) await expectWhole(again, ledger);
    report(`R3 ${what} EIO`, { acknowledged: countAcknowledged(ledgers), lost: 0, 'exit status': 70 });
  },
);

it('while writes fail with ENOSPC senders get a 452, and reading works', async () => {
  const { disk, mayfly, ledgers } = await startOnFaultyDisk();
  const [first] = ledgers as [Ledger];
  await sendMore(mayfly, ledgers, 100);
  await disk.fail('write', 'ENOSPC');
  for (let time = 0; time < 20; time++) {
    expect(await tryOne(mayfly, first)).toBe('452 4.3.1 Insufficient storage, try again later');
  }
  for (const ledger of ledgers) await expectWhole(mayfly, ledger);
  await disk.fail('write', undefined);
  await sendMore(mayfly, ledgers, 50);
  for (const ledger of ledgers) await expectWhole(mayfly, ledger);
  report('R3 write ENOSPC', { acknowledged: countAcknowledged(ledgers), lost: 0 });
});

it('without a free descriptor large messages are deferred, small ones accepted', async () => {
  const { disk, mayfly, ledgers } = await startOnFaultyDisk();
  const [first] = ledgers as [Ledger];
  await disk.fail('open', 'EMFILE');
  expect(await tryOne(mayfly, first)).toMatch(/^250 /);
  const client = await greet(mayfly.smtpPort);
  // Too large for memory, so it needs a spill file.
  const large = `Subject: large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(10_000)}`;
  expect(await client.deliver(large, first.lent.email)).toMatch(/^45[12] 4\.3\.[01]/);
  await disk.fail('open', undefined);
  expect(await client.deliver(large, first.lent.email)).toMatch(/^250 /);
});
