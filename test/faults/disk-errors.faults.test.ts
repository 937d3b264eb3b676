// R3: failing fsync, writes and opens. What cannot be stored is not acknowledged, what was acknowledged stays; a disk
// that refuses writes does not stop reading, and a service that cannot trust its file any more exits.

import { expect, it, onTestFinished } from 'vitest';

import { isFull, report, scaled } from '../support/faults/fault-scale.ts';
import { createFaultyDisk, type FaultyDisk } from '../support/faults/faulty-disk.ts';
import {
  countAcknowledged,
  expectWhole,
  type Ledger,
  openLedgers,
  sendAll,
  unlimited,
} from '../support/faults/ledger.ts';
import { type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { createRandom } from '../support/random.ts';
import { runWell } from '../support/servers/run-program.ts';
import { sha256 } from '../support/mail/sent-mails.ts';
import { greet } from '../support/smtp/smtp-client.ts';

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

/** The short form takes one of those that the service treats alike. */
const some = <T>(errors: readonly T[]): readonly T[] => (isFull ? errors : errors.slice(0, 1));
const [before, after] = [scaled(40, 100), scaled(20, 50)];

it.each(some(['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'] as const))(
  'after a sync that fails with %s the process exits, and every acknowledged message is there',
  async (error) => {
    const { disk, mayfly, ledgers } = await startOnFaultyDisk();
    await sendMore(mayfly, ledgers, before);
    await disk.fail('sync', error);
    const [first] = ledgers as [Ledger];
    // Nothing is acknowledged with a file that cannot be trusted. The process may have exited already: earlier
    // messages are still checkpointed.
    const reply = await tryOne(mayfly, first).catch((error: unknown) => String(error));
    expect(reply).toMatch(/^4|closed the connection|ECONNRE/);
    await expect.poll(() => mayfly.isRunning, { timeout: 60_000 }).toBe(false);
    expect(await mayfly.stop()).toBe(70);
    expect(mayfly.log).toContain('store.broken');
    const again = await start(disk.dataDir, unlimited);
    for (const ledger of ledgers) await expectWhole(again, ledger);
    report(`R3 sync ${error}`, { acknowledged: countAcknowledged(ledgers), lost: 0, 'exit status': 70 });
  },
);

const storageFull = '452 4.3.1 Insufficient storage, try again later';

/** Expects that every change is refused as temporary, and that reading works. */
async function expectReadOnly(mayfly: MayflyProcess, ledgers: readonly Ledger[]): Promise<void> {
  const [first] = ledgers as [Ledger];
  for (let time = 0; time < scaled(5, 20); time++) expect(await tryOne(mayfly, first)).toBe(storageFull);
  const authorization = `Bearer ${first.lent.token}`;
  const [oldest] = await mayfly.checkMail(first.lent.token);
  const post = (path: string, parameters: Record<string, string>): Promise<Response> =>
    fetch(`${mayfly.origin}${path}`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams(parameters),
    });
  for (const answer of [
    await post('/create-session', {}),
    await post('/delete-mail', { id: String(oldest?.id) }),
    await post('/mark-mail', { id: String(oldest?.id), read: '1' }),
    await post('/extend-session', { lifetime: '86400' }),
    await post('/end-session', {}),
  ]) {
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toMatchObject({ code: 'unavailable' });
  }
  for (const ledger of ledgers) await expectWhole(mayfly, ledger);
  const ready = await mayfly.call('/readyz');
  expect([ready.status, await ready.text()]).toEqual([
    503,
    expect.stringContaining('the disk refuses writes'),
  ]);
  expect((await mayfly.call('/healthz')).status).toBe(200);
}

/** Without any other request: a balancer sends none to a service that is not ready. */
async function expectReadyAgain(mayfly: MayflyProcess): Promise<void> {
  await expect.poll(async () => (await mayfly.call('/readyz')).status, { timeout: 60_000 }).toBe(200);
}

it.each(some(['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EROFS'] as const))(
  'while writes fail with %s senders get a 452, changes over HTTP a 503, and reading works',
  async (error) => {
    const { disk, mayfly, ledgers } = await startOnFaultyDisk();
    await sendMore(mayfly, ledgers, before);
    await disk.fail('write', error);
    await expectReadOnly(mayfly, ledgers);
    expect(mayfly.log).not.toContain('store.broken');
    await disk.fail('write', undefined);
    await expectReadyAgain(mayfly);
    await sendMore(mayfly, ledgers, after);
    for (const ledger of ledgers) await expectWhole(mayfly, ledger);
    report(`R3 write ${error}`, { acknowledged: countAcknowledged(ledgers), lost: 0 });
  },
);

it('behind a limit of the size of files every write is refused, spill files included, and raising it is enough', async () => {
  const disk = await createFaultyDisk();
  const mayfly = await start(disk.dataDir, unlimited);
  const ledgers = await openLedgers(mayfly, 2);
  const [first] = ledgers as [Ledger];
  await sendMore(mayfly, ledgers, before);
  const limit = (bytes: string): Promise<unknown> =>
    runWell('prlimit', [`--pid=${mayfly.child.pid}`, `--fsize=${bytes}:unlimited`]);
  await limit('100');
  await expectReadOnly(mayfly, ledgers);
  const large = `Subject: large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(10_000)}`;
  expect(await (await greet(mayfly.smtpPort)).deliver(large, first.lent.email)).toBe(storageFull);
  const [, domain = ''] = first.lent.email.split('@');
  const postmaster = `postmaster@${domain}`;
  const toOperator = `Subject: to the operator\r\n\r\n${'x'.repeat(200)}\r\n`;
  expect(await (await greet(mayfly.smtpPort)).deliver(toOperator, postmaster)).toBe(storageFull);
  await limit('unlimited');
  await expectReadyAgain(mayfly);
  expect(await (await greet(mayfly.smtpPort)).deliver(toOperator, postmaster)).toMatch(/^250 /);
  await sendMore(mayfly, ledgers, after);
  for (const ledger of ledgers) await expectWhole(mayfly, ledger);
  expect(await mayfly.stop()).toBe(0);
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
