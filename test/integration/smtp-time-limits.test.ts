// Time limits of connections: silent, endlessly busy, or occupying a slot others want. The clock is the test's.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ScratchFile } from '#mail-receiver/scratch-file';
import { ReplyTurn } from '#mail-receiver/reply-turn';
import { Admission, type Peer } from '#smtp-listener/admission';
import type { Recipient } from '../../src/service/session/recipient.ts';
import { ConnectionAnswers } from '../../src/smtp/connection-answers.ts';
import { SmtpCounts } from '../../src/smtp/smtp-counts.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { SmtpConnection } from '#smtp-listener/smtp-connection';
import { engineSettings } from '../support/smtp/engine-peer.ts';
import { createRefusingReceiver } from '../support/smtp/refusing-receiver.ts';
import { connectTo, type SmtpClient } from '../support/smtp/smtp-client.ts';
import { createTlsFiles } from '../support/servers/tls-files.ts';

const minuteMs = 60_000;
const timedOut = '421 4.4.2 Timeout, closing connection';

const receiver = createRefusingReceiver({
  resolveRecipient: () => Promise.resolve({ outcome: 'accepted', recipient: 'operator' }),
  receiveMessage: () => Promise.resolve({ outcome: 'stored', ingestId: 'id', ended: 0 }),
});

interface Direct {
  readonly client: SmtpClient;
  readonly connection: SmtpConnection<Recipient>;
  readonly admission: Admission;
  /** Advances the clock. */
  after(ms: number): void;
}

async function connectDirectly({ withProxy = false, withTls = false } = {}): Promise<Direct> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = await connectTo((server.address() as AddressInfo).port);
  const [socket] = (await accepted) as [Socket];
  server.close();
  onTestFinished(() => {
    socket.destroy();
  });
  const settings = {
    connectionsMax: 10,
    connectionsPerAddressMax: Infinity,
    connectsPerMinute: Infinity,
    messagesPerMinute: Infinity,
    inFlightMaxBytes: Infinity,
  };
  const ignore = (): void => undefined;
  const admission = new Admission({
    makeRoom: () => false,
    settings,
    vitals: { isOverloaded: () => false, isDiskLow: () => false },
  });
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const counts = new SmtpCounts(createMetrics());
  const spill = { afterBytes: 65_536, open: () => new ScratchFile(tmpdir()) };
  const parts = { admission, receiver, spill, log, sampledLog: log, counts };
  const shared = {
    settings: { ...engineSettings, offersTls: withTls, idleTimeoutSeconds: 300 },
    loopbackSettings: () => ({ ...engineSettings, offersTls: withTls }),
    admission,
    isNetworkBlocked: () => false,
    createAnswers: (peer: Peer) => new ConnectionAnswers(parts, peer),
    tls: withTls ? createTlsFiles('mx.test').certificate : undefined,
    log,
    sampledLog: log,
    counts,
    replyTurn: new ReplyTurn(),
    onTurnedAway: ignore,
    onIncoming: ignore,
  };
  const connection = new SmtpConnection(shared, { socket, id: '1', expectsProxyHeader: withProxy });
  if (!withProxy) await client.readReply();
  return {
    client,
    connection,
    admission,
    after: (ms) => {
      connection.checkTime(performance.now() + ms);
    },
  };
}

describe('silence', () => {
  it('ends a connection after five minutes, and not before (RFC 5321 §4.5.3.2.7)', async () => {
    const { client, after } = await connectDirectly();
    await client.command('EHLO client.test');
    after(5 * minuteMs - 1000);
    expect(await client.command('NOOP')).toBe('250 2.0.0 OK');
    after(5 * minuteMs + 1000);
    expect(await client.closed).toEqual([timedOut]);
  });

  it('ends a connection after 30 seconds while more than four fifths of the slots are taken', async () => {
    const { client, admission, after } = await connectDirectly();
    await client.command('EHLO client.test');
    for (let count = 0; count < 7; count++) admission.enter(`${count}`);
    after(31_000);
    expect(await client.command('NOOP')).toBe('250 2.0.0 OK');
    admission.enter('8');
    after(29_000);
    expect(await client.command('NOOP')).toBe('250 2.0.0 OK');
    after(31_000);
    expect(await client.closed).toEqual([timedOut]);
  });

  it('in place of a PROXY header ends it too', async () => {
    const { client, after } = await connectDirectly({ withProxy: true });
    client.send('PROXY ');
    after(5 * minuteMs + 1000);
    client.socket.end();
    await client.closed;
    expect(client.socket.destroyed || client.socket.readableEnded).toBe(true);
  });

  it('in place of a TLS handshake ends it after 30 seconds', async () => {
    const { client, after } = await connectDirectly({ withTls: true });
    await client.command('EHLO client.test');
    expect(await client.command('STARTTLS')).toMatch(/^220/);
    after(29_000);
    expect(client.socket.readableEnded).toBe(false);
    after(31_000);
    expect(await client.closed).toEqual([]);
  });
});

/** Sends often enough that no silence ends the connection. @returns the number of minutes until it was ended */
async function minutesUntilEnd({ client, connection }: Direct, say: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let isOver = false;
  void client.closed.then(() => (isOver = true));
  const { now } = performance;
  let minutes = 0;
  try {
    for (; !isOver && minutes < 60; minutes++) {
      performance.now = () => startedAt + minutes * minuteMs;
      await Promise.race([say(), client.closed]);
      performance.now = () => startedAt + (minutes + 0.5) * minuteMs;
      connection.checkTime(performance.now());
      // The end of the socket follows its last reply after a moment.
      await Promise.race([client.closed, delay(5)]);
    }
  } finally {
    performance.now = now;
  }
  return minutes;
}

describe('a busy connection', () => {
  it('without a message ends after ten minutes', async () => {
    const direct = await connectDirectly();
    const minutes = await minutesUntilEnd(direct, () => direct.client.command('NOOP'));
    expect(minutes).toBeGreaterThanOrEqual(10);
    expect(minutes).toBeLessThanOrEqual(12);
  });

  it('is ended when its sender never waits for replies', async () => {
    const { client, after } = await connectDirectly();
    client.send('NOOP\r\n'.repeat(100_000));
    expect(await client.readReply()).toBe('250 2.0.0 OK');
    after(11 * minuteMs);
    const lines = await client.closed;
    expect(lines.length).toBeLessThan(100_000);
    expect(lines.at(-1)).toBe(timedOut);
  });

  it('within one message ends after thirty', async () => {
    const direct = await connectDirectly();
    await direct.client.command('EHLO client.test');
    await direct.client.startData('one@us.test');
    const minutes = await minutesUntilEnd(direct, () => {
      direct.client.send('x');
      return delay(2);
    });
    expect(minutes).toBeGreaterThanOrEqual(30);
    expect(minutes).toBeLessThanOrEqual(32);
  });

  it('that delivers a message now and then stays open', async () => {
    const direct = await connectDirectly();
    await direct.client.command('EHLO client.test');
    const minutes = await minutesUntilEnd(direct, () => direct.client.deliver('text\r\n', 'one@us.test'));
    expect(minutes).toBe(60);
  });
});
