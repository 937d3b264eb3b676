// `kill -9` in the middle of ingest, again and again on one data folder: what was acknowledged must be there after
// the restart, whole, and what is there must be something that was sent. The ledger holds SHA-256 sums.

import { setTimeout as delay } from 'node:timers/promises';

import { expect, onTestFinished } from 'vitest';

import { type Lent, type MayflyProcess, startMayfly } from './mayfly-process.ts';
import { createRandom, type Random } from './random.ts';
import { sha256 } from './sent-mails.ts';
import { connectTo } from './smtp-client.ts';

const sendersAtOnce = 8;
const sizes = [100, 1000, 4000, 4000, 4000, 20_000, 300_000];
const settings = {
  MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  MAYFLY_LIMITS_SESSION_BYTES: '0',
  MAYFLY_LIMITS_RATE: 'off',
  MAYFLY_LOG_LEVEL: 'error',
};

/** One session with what was sent to it. */
interface Ledger {
  readonly lent: Lent;
  /** Sums of all messages that were sent, whole or not. */
  readonly sent: Set<string>;
  readonly acknowledged: Set<string>;
}

/** Sends messages until the connection breaks or one is put off (4yz). */
async function sendOn(port: number, ledger: Ledger, random: Random): Promise<void> {
  const client = await connectTo(port);
  await client.readReply();
  await client.command('EHLO client.test');
  for (;;) {
    const body = random.bytes(random.pick(sizes)).toString('base64').replace(/.{76}/g, '$&\r\n');
    const raw = `Subject: ${ledger.sent.size}\r\n\r\n${body}\r\n`;
    const sum = sha256(Buffer.from(raw));
    ledger.sent.add(sum);
    const reply = await client.deliver(raw, ledger.lent.email);
    if (!reply.startsWith('250 ')) throw new Error(`Not taken: ${reply}`);
    ledger.acknowledged.add(sum);
  }
}

/** As a mail server does: what is put off by a busy machine is tried again, as long as the service lives. */
async function sendWhileAlive(mayfly: MayflyProcess, ledger: Ledger, random: Random): Promise<void> {
  while (mayfly.isRunning) {
    try {
      await sendOn(mayfly.smtpPort, ledger, random);
    } catch (error) {
      expect(String(error)).toMatch(/closed the connection|ECONNRE|Not taken: 4/);
      await delay(20);
    }
  }
}

/** Kills the service once so many messages are acknowledged. */
async function ingestAndKill(mayfly: MayflyProcess, random: Random): Promise<Ledger[]> {
  const ledgers: Ledger[] = [];
  for (let count = 0; count < sendersAtOnce / 2; count++) {
    ledgers.push({ lent: await mayfly.lend(), sent: new Set(), acknowledged: new Set() });
  }
  const enough = 50 + random.below(150);
  const count = (): number => ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
  const watch = setInterval(() => {
    if (count() >= enough) mayfly.child.kill('SIGKILL');
  }, 1);
  try {
    const senders = Array.from({ length: sendersAtOnce }, (_, at) =>
      sendWhileAlive(mayfly, ledgers[at % ledgers.length]!, createRandom(random.below(2 ** 32))),
    );
    await Promise.all(senders);
  } finally {
    clearInterval(watch);
  }
  expect(await mayfly.stop('SIGKILL')).toBe('SIGKILL');
  return ledgers;
}

/** Ends with the test, whatever becomes of it. */
async function start(dataDir: string): Promise<MayflyProcess> {
  const mayfly = await startMayfly(dataDir, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

async function expectWhole(mayfly: MayflyProcess, { lent, sent, acknowledged }: Ledger): Promise<void> {
  const stored = new Set<string>();
  for (const { id, size } of await mayfly.checkMail(lent.token)) {
    const raw = await mayfly.rawMail(lent.token, id);
    stored.add(sha256(raw.subarray(raw.length - size)));
  }
  expect(
    [...acknowledged].filter((sum) => !stored.has(sum)),
    'acknowledged and lost',
  ).toEqual([]);
  expect(
    [...stored].filter((sum) => !sent.has(sum)),
    'stored and never sent so',
  ).toEqual([]);
}

/** @returns how many messages were acknowledged in all */
export async function killDuringIngest(dataDir: string, rounds: number, seed: number): Promise<number> {
  const random = createRandom(seed);
  const ledgers: Ledger[] = [];
  for (let round = 0; round < rounds; round++) {
    const fresh = await ingestAndKill(await start(dataDir), random);
    ledgers.push(...fresh);
    const restarted = await start(dataDir);
    for (const ledger of round === rounds - 1 ? ledgers : fresh) await expectWhole(restarted, ledger);
    expect(await restarted.stop()).toBe(0);
  }
  return ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
}
