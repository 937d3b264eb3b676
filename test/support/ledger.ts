// What was sent to the service and what it acknowledged, by SHA-256 sums, and the check that it is all there: the
// oracle of the tests that kill, cut and fill. Senders behave as mail servers do.

import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'vitest';

import type { Lent, MayflyProcess } from './mayfly-process.ts';
import { createRandom, type Random } from './random.ts';
import { sha256 } from './sent-mails.ts';
import { connectTo, sendMail } from './smtp-client.ts';

const readersAtOnce = 6;
const sizes = [100, 1000, 4000, 4000, 4000, 20_000, 300_000];

/** Lifts every limit that a busy sender would meet. */
export const unlimited = {
  MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  MAYFLY_LIMITS_SESSION_BYTES: '0',
  MAYFLY_LIMITS_RATE: 'off',
  MAYFLY_LOG_LEVEL: 'error',
};

/** One session with what was sent to it. */
export interface Ledger {
  readonly lent: Lent;
  /** Sums of all messages that were sent, whole or not. */
  readonly sent: Set<string>;
  readonly acknowledged: Set<string>;
}

export async function openLedgers(mayfly: MayflyProcess, count: number): Promise<Ledger[]> {
  const ledgers: Ledger[] = [];
  for (let at = 0; at < count; at++) {
    ledgers.push({ lent: await mayfly.lend(), sent: new Set(), acknowledged: new Set() });
  }
  return ledgers;
}

export function countAcknowledged(ledgers: readonly Ledger[]): number {
  return ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
}

/** Sends messages until the connection breaks, one is put off (4yz), or `isOver`. */
async function sendOn(
  port: number,
  ledger: Ledger,
  { random, isOver, paceMs = 0 }: SendOptions,
): Promise<void> {
  const client = await connectTo(port);
  try {
    await client.readReply();
    await client.command('EHLO client.test');
    while (!isOver()) {
      const body = random.bytes(random.pick(sizes)).toString('base64').replace(/.{76}/g, '$&\r\n');
      const raw = `Subject: ${ledger.sent.size}\r\n\r\n${body}\r\n`;
      const sum = sha256(Buffer.from(raw));
      ledger.sent.add(sum);
      const reply = await sendMail(client, raw, ledger.lent.email);
      if (!reply.startsWith('250 ')) throw new Error(`Not taken: ${reply}`);
      ledger.acknowledged.add(sum);
      if (paceMs > 0) await delay(paceMs);
    }
  } finally {
    client.socket.destroy();
  }
}

export interface SendOptions {
  readonly random: Random;
  readonly isOver: () => boolean;
  /** Each of the senders rests so long after each message; not at all by default. */
  readonly paceMs?: number;
}

/** Where to send, asked anew for each connection. */
export type MailTarget = Pick<MayflyProcess, 'smtpPort' | 'isRunning'>;

/** What is put off by a busy machine is tried again, as long as it is not over. */
async function sendUntil(mayfly: MailTarget, ledger: Ledger, options: SendOptions): Promise<void> {
  while (!options.isOver()) {
    try {
      await sendOn(mayfly.smtpPort, ledger, options);
    } catch (error) {
      expect(String(error)).toMatch(/closed the connection|ECONNRE|EPIPE|Not taken: 4/);
      await delay(20);
    }
  }
}

/** Eight senders at once, shared out over the ledgers. Resolves when it is over, or the service has ended. */
export async function sendAll(
  mayfly: MailTarget,
  ledgers: readonly Ledger[],
  { random, isOver, ...pace }: SendOptions,
): Promise<void> {
  const senders = Array.from({ length: 8 }, (_, at) =>
    sendUntil(mayfly, ledgers[at % ledgers.length] as Ledger, {
      random: createRandom(random.below(2 ** 32)),
      isOver: () => isOver() || !mayfly.isRunning,
      ...pace,
    }),
  );
  await Promise.all(senders);
}

/** What was acknowledged is there, whole, nothing is there twice, and what is there was sent so. */
export async function expectWhole(mayfly: MayflyProcess, ledger: Ledger): Promise<void> {
  const { lost, foreign, doubled } = await compare(mayfly, ledger);
  expect(lost, 'acknowledged and lost').toEqual([]);
  expect(foreign, 'stored and never sent so').toEqual([]);
  expect(doubled, 'sent once and stored twice').toEqual([]);
}

export async function compare(
  mayfly: MayflyProcess,
  { lent, sent, acknowledged }: Ledger,
): Promise<{ readonly lost: string[]; readonly foreign: string[]; readonly doubled: string[] }> {
  const stored = new Set<string>();
  const doubled: string[] = [];
  const waiting = await mayfly.listMail(lent.token);
  const readOn = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const raw = await mayfly.rawMail(lent.token, next.id);
      const sum = sha256(raw.subarray(raw.length - next.size));
      if (stored.has(sum)) doubled.push(sum);
      stored.add(sum);
    }
  };
  await Promise.all(Array.from({ length: readersAtOnce }, readOn));
  return {
    lost: [...acknowledged].filter((sum) => !stored.has(sum)),
    foreign: [...stored].filter((sum) => !sent.has(sum)),
    doubled,
  };
}
