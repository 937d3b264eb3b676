// Records what was sent and what was acknowledged, by SHA-256 sums, and checks that it is all there: the oracle of
// tests that kill, cut power and fill disks. Senders behave as mail servers do.

import { setTimeout as delay } from 'node:timers/promises';

import { expect } from 'vitest';

import type { Lent, MayflyProcess } from '../service/mayfly-process.ts';
import { createRandom, type Random } from '../random.ts';
import { sha256 } from '../mail/sent-mails.ts';
import { connectTo, sendMail } from '../smtp/smtp-client.ts';

const readersAtOnce = 6;
const sizes = [100, 1000, 4000, 4000, 4000, 20_000, 300_000];

/** Lifts every limit a busy sender would meet. */
export const unlimited = {
  MAYFLY_LIMITS_SESSION_MESSAGES: '0',
  MAYFLY_LIMITS_SESSION_BYTES: '0',
  MAYFLY_LIMITS_RATE: 'off',
  MAYFLY_LOG_LEVEL: 'error',
};

/** One session with what was sent to it. */
export interface Ledger {
  readonly lent: Lent;
  /** Sums of all messages sent, whole or not. */
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

/** Sends messages until the connection breaks, one is deferred (4yz), or `isOver`. */
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
  /** The pause of each sender after a message; none by default. */
  readonly paceMs?: number;
}

/** The destination, read again for each connection. */
export type MailTarget = Pick<MayflyProcess, 'smtpPort' | 'isRunning'>;

/** Retries messages deferred by a busy machine until `isOver`. */
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

/** Runs eight senders at once, spread over the ledgers. Resolves when it is over, or the service has exited. */
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

/** Expects acknowledged messages to be there, whole, none twice, and only as they were sent. */
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
