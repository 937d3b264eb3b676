// The acceptance test of the log: the service is killed twice while 5,000 messages arrive; 50 resuming clients hold
// every event once and in order, and every message's webhook arrives under one id.
import { setTimeout as delay } from 'node:timers/promises';

import { expect, it, onTestFinished } from 'vitest';

import { createWebhookSecret } from '#notifications/webhook-signature';
import { type EventSourceClient, openStream } from '../support/clients/event-source.ts';
import { type Lent, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { connectTo } from '../support/smtp/smtp-client.ts';
import { startSink } from '../support/servers/webhook-sink.ts';

const clients = 50;
const messages = 5000;
const sendersAtOnce = 10;
const killsAt = [1500, 3500];

/** The running service; a new one after each kill. */
interface Current {
  mayfly: MayflyProcess;
}

/** Acknowledged messages in all sessions. */
interface Progress {
  acknowledged: number;
}

async function sendAll(current: Current, lents: readonly Lent[], progress: Progress): Promise<void> {
  while (progress.acknowledged < messages) {
    try {
      const client = await connectTo(current.mayfly.smtpPort);
      await client.readReply();
      await client.command('EHLO client.test');
      while (progress.acknowledged < messages) {
        const number = progress.acknowledged % clients;
        const reply = await client.deliver('Subject: x\r\n\r\nHello\r\n', lents[number]!.email);
        if (reply.startsWith('250 ')) progress.acknowledged += 1;
      }
      client.socket.destroy();
    } catch {
      // Killed: unacknowledged messages are sent again to the next process.
      await delay(20);
    }
  }
}

/** Reads one session's stream over as many connections as needed, and records the ids. */
async function follow(
  current: Current,
  { token }: Lent,
  { seen, isDone }: { seen: number[]; isDone: () => boolean },
): Promise<void> {
  let lastEventId: string | undefined;
  while (!isDone()) {
    let stream: EventSourceClient;
    try {
      const port = Number(new URL(current.mayfly.origin).port);
      stream = await openStream(
        { port },
        { token, query: 'after=0', ...(lastEventId ? { lastEventId } : {}) },
      );
    } catch {
      await delay(20);
      continue;
    }
    let taken = 0;
    while (!stream.isOver && !isDone()) {
      const hasNews = (): boolean => stream.isOver || stream.events.length > taken;
      await Promise.race([stream.until(hasNews), delay(100)]);
      for (const { id, event } of stream.events.slice(taken)) {
        expect(event).toBe('message.received');
        seen.push(Number(id));
        lastEventId = id;
      }
      taken = stream.events.length;
    }
    stream.close();
  }
}

async function killWhenDue(
  current: Current,
  progress: Progress,
  restart: () => Promise<MayflyProcess>,
): Promise<void> {
  for (const at of killsAt) {
    while (progress.acknowledged < at) await delay(2);
    await current.mayfly.stop('SIGKILL');
    current.mayfly = await restart();
  }
}

it('two kills in 5,000 messages: 50 streams miss nothing and repeat nothing', async () => {
  const folder = await useDataFolder();
  const sink = await startSink();
  const settings = {
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_LIMITS_SESSION_MESSAGES: '0',
    MAYFLY_LOG_LEVEL: 'error',
    MAYFLY_WEBHOOKS_URL: `http://127.0.0.1:${sink.port}/`,
    MAYFLY_WEBHOOKS_SECRET: createWebhookSecret(),
  };
  const start = (): Promise<MayflyProcess> => startMayfly(folder, settings);
  const current: Current = { mayfly: await start() };
  onTestFinished(async () => {
    await current.mayfly.stop('SIGKILL');
  });
  const lents = await Promise.all(Array.from({ length: clients }, () => current.mayfly.lend()));
  const progress: Progress = { acknowledged: 0 };
  const stored: number[][] = [];
  const seen = lents.map((): number[] => []);
  const isDone = (at: number) => (): boolean =>
    stored[at] !== undefined && seen[at]!.length >= stored[at].length;

  const followers = lents.map((lent, at) => follow(current, lent, { seen: seen[at]!, isDone: isDone(at) }));
  const senders = Array.from({ length: sendersAtOnce }, () => sendAll(current, lents, progress));
  await Promise.all([...senders, killWhenDue(current, progress, start)]);
  for (const { token } of lents) {
    stored.push((await current.mayfly.checkMail(token)).map(({ id }) => id).reverse());
  }
  await Promise.all(followers);

  expect(stored.flat().length).toBeGreaterThanOrEqual(messages);
  expect(seen).toEqual(stored);
  const webhookIds = (): Set<string | undefined> =>
    new Set(sink.received.map(({ headers }) => headers['webhook-id']));
  const distinctEvents = (): Set<string> =>
    new Set(
      sink.received.map(({ content }) => JSON.stringify([content.data['session'], content.data['seq']])),
    );
  await expect
    .poll(() => distinctEvents().size, { timeout: 120_000, interval: 200 })
    .toBe(stored.flat().length);
  expect(webhookIds().size).toBe(stored.flat().length);
}, 300_000);
