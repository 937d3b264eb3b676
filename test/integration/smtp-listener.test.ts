// How connections begin, are throttled and end: timeouts, the cap, shutdown, peers that do not read or do not close.
// Over real sockets.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { createSecureContext } from 'node:tls';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ScratchFile } from '#mail-receiver/scratch-file';
import { ReplyTurn } from '#mail-receiver/reply-turn';
import type { TlsCertificate } from '#certificates/tls-certificate';
import { Admission, type Peer } from '#smtp-listener/admission';
import type { MailReceiver } from '../../src/smtp/mail-receiver.ts';
import type { Recipient } from '../../src/service/session/recipient.ts';
import { ConnectionAnswers } from '../../src/smtp/connection-answers.ts';
import { SmtpCounts } from '../../src/smtp/smtp-counts.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { SmtpConnection } from '#smtp-listener/smtp-connection';
import { createGate } from '../support/gate.ts';
import { engineSettings } from '../support/smtp/engine-peer.ts';
import { connectTo, type SmtpClient } from '../support/smtp/smtp-client.ts';
import { createRefusingReceiver } from '../support/smtp/refusing-receiver.ts';
import { startSmtp } from '../support/smtp/smtp-fixture.ts';

const text = 'Subject: hello\r\n\r\nworld\r\n';
const refuseAll = createRefusingReceiver();

const unlimited = {
  connectionsMax: Infinity,
  connectionsPerAddressMax: Infinity,
  connectsPerMinute: Infinity,
  messagesPerMinute: Infinity,
  inFlightMaxBytes: Infinity,
};
const vitals = { isOverloaded: () => false, isDiskLow: () => false };

/** Opens a connection whose server side the test can inspect. */
async function connectDirectly(
  receiver: MailReceiver,
  tls?: TlsCertificate,
): Promise<{ client: SmtpClient; socket: Socket; connection: SmtpConnection<Recipient> }> {
  const server = createServer({ allowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  const ignore = (): void => undefined;
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const accepted = once(server, 'connection');
  const client = await connectTo((server.address() as AddressInfo).port);
  const [socket] = (await accepted) as [Socket];
  const admission = new Admission({ makeRoom: () => false, settings: unlimited, vitals });
  const counts = new SmtpCounts(createMetrics());
  const spill = { afterBytes: Infinity, open: () => new ScratchFile(tmpdir()) };
  const parts = { admission, receiver, spill, log, sampledLog: log, counts };
  const shared = {
    settings: { ...engineSettings, offersTls: tls !== undefined, idleTimeoutSeconds: 300 },
    loopbackSettings: () => ({ ...engineSettings, offersTls: tls !== undefined }),
    admission,
    isNetworkBlocked: () => false,
    createAnswers: (peer: Peer) => new ConnectionAnswers(parts, peer),
    tls,
    log,
    sampledLog: log,
    counts,
    replyTurn: new ReplyTurn(),
    onTurnedAway: ignore,
    onIncoming: ignore,
  };
  const connection = new SmtpConnection(shared, { socket, id: '1', expectsProxyHeader: false });
  onTestFinished(() => {
    socket.destroy();
  });
  await client.readReply();
  return { client, socket, connection };
}

describe('silence', () => {
  it('ends a connection with 421 4.4.2', async () => {
    const fixture = await startSmtp({ settings: { idleTimeoutSeconds: 0.05 } });
    const client = await fixture.greet();
    expect(await client.closed).toEqual(['421 4.4.2 Timeout, closing connection']);
  });

  it('in the middle of a message ends it, and nothing is stored', async () => {
    // Long enough for a busy machine to come as far as that.
    const fixture = await startSmtp({ settings: { idleTimeoutSeconds: 3 } });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.startData(session.address);
    client.send('half a message\r\n');
    expect(await client.closed).toEqual(['421 4.4.2 Timeout, closing connection']);
    expect((await fixture.store.countRows()).content).toBe(0);
    expect(fixture.incoming.count).toBe(0);
  });

  // A sender that gets a 421 after its final dot sends the message again, although it was stored.
  it('ends nothing while a message is being stored', async () => {
    const gate = createGate();
    const receiver = createRefusingReceiver({
      resolveRecipient: () => Promise.resolve({ outcome: 'accepted', recipient: {} as never }),
      receiveMessage: async () => {
        await gate.pass();
        return { outcome: 'stored', ingestId: 'id', ended: 0 };
      },
    });
    const { client, connection } = await connectDirectly(receiver);
    await client.command('EHLO client.test');
    await client.startData('one@us.test');
    client.send(`${text}.\r\n`);
    await gate.reached;
    connection.checkTime(performance.now() + 3_600_000);
    gate.open();
    expect(await client.readReply()).toBe('250 2.0.0 OK id');
    connection.checkTime(performance.now() + 299_000);
    expect(await client.command('NOOP')).toMatch(/^250/);
    connection.checkTime(performance.now() + 301_000);
    expect(await client.closed).toEqual(['421 4.4.2 Timeout, closing connection']);
  });
});

describe('a TLS handshake', () => {
  it('that never ends is cut after half a minute, though the engine waits for it', async () => {
    const { client, connection } = await connectDirectly(refuseAll, {
      current: () => createSecureContext(),
      endsAt: 0,
      isTrusted: true,
      chainPem: '',
    });
    await client.command('EHLO client.test');
    expect(await client.command('STARTTLS')).toMatch(/^220 2\.0\.0 /);
    connection.checkTime(performance.now() + 29_000);
    client.send('\x16\x03\x01');
    connection.checkTime(performance.now() + 31_000);
    expect(await client.closed).toEqual([]);
  });
});

describe('the cap on connections', () => {
  it('refuses further ones with 421 4.3.2 until one ends', async () => {
    const fixture = await startSmtp({ settings: { connectionsMax: 2 } });
    const [first] = [await fixture.greet(), await fixture.greet()];
    const refused = await fixture.connect();
    expect(await refused.closed).toEqual(['421 4.3.2 Too many connections, try again later']);
    // Its side stays open: after QUIT that holds no slot.
    await first.command('QUIT');
    await first.closed;
    // The server notices the end a moment after the client.
    let greeting = '';
    while (!greeting.startsWith('220 ')) greeting = await (await fixture.connect()).readReply();
    expect(greeting).toBe('220 mx.test ESMTP');
  });
});

describe('shutting down', () => {
  it('finishes the message in progress with 250, sends the idle 421 4.3.2, and accepts no new connection', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const [idle, inMail, busy] = [await fixture.greet(), await fixture.greet(), await fixture.greet()];
    await inMail.command('MAIL FROM:<a@b.test>');
    await busy.startData(session.address);
    busy.send('Subject: hello\r\n');
    const closed = fixture.server.close(60_000);
    expect(await idle.closed).toEqual(['421 4.3.2 Shutting down, try again later']);
    expect(await inMail.closed).toEqual(['421 4.3.2 Shutting down, try again later']);
    await expect(connectTo(fixture.port)).rejects.toThrow('ECONNREFUSED');
    busy.send('\r\nworld\r\n.\r\n');
    const [stored, farewell, ...more] = await busy.closed;
    expect([stored?.slice(0, 9), farewell, more]).toEqual([
      '250 2.0.0',
      '421 4.3.2 Shutting down, try again later',
      [],
    ]);
    for (const client of [idle, inMail, busy]) client.socket.end();
    await closed;
    expect(await fixture.textsOf(session)).toEqual([text]);
  });

  it('cuts remaining connections when its grace period is over', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.startData(session.address);
    client.send('never ended\r\n');
    await fixture.server.close(50);
    expect(await client.closed).toEqual([]);
    expect((await fixture.store.countRows()).content).toBe(0);
  });

  it('waits for a message being stored', async () => {
    const gate = createGate();
    const fixture = await startSmtp({
      wrapReceiver: (receiver) => ({
        ...receiver,
        receiveMessage: async (message, sessions) => {
          await gate.pass();
          return receiver.receiveMessage(message, sessions);
        },
      }),
    });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.startData(session.address);
    client.send(`${text}.\r\n`);
    await gate.reached;
    const closed = fixture.server.close(60_000);
    gate.open();
    expect((await client.closed).map((line) => line.slice(0, 9))).toEqual(['250 2.0.0', '421 4.3.2']);
    client.socket.end();
    await closed;
    expect(await fixture.textsOf(session)).toEqual([text]);
  });

  it('is not delayed by peers that never close their side', async () => {
    const fixture = await startSmtp({ settings: { connectionsMax: 1 } });
    const kept = await fixture.greet();
    const refused = await fixture.connect();
    await refused.closed;
    const startedAt = performance.now();
    const closed = fixture.server.close(60_000);
    await kept.closed;
    await closed;
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});

describe('a sender that does not wait for replies', () => {
  const floodBytes = 8 * 1024 * 1024;

  it.each([
    ['commands that need nothing', 'NOOP\r\n', 1],
    ['transactions without a message', 'MAIL FROM:<a@b.test>\r\nRSET\r\n', 2],
  ])('by %s leaves others their turn', async (_, lines, repliesEach) => {
    const fixture = await startSmtp();
    const [ahead, other] = [await fixture.greet(), await fixture.greet()];
    const count = 30_000;
    ahead.send(lines.repeat(count));
    expect(await ahead.readReply()).toMatch(/^250 /);
    expect(await other.command('NOOP')).toBe('250 2.0.0 OK');
    const before = ahead.takeLines().length;
    expect(before).toBeLessThan((count * repliesEach) / 2);
    ahead.send('QUIT\r\n');
    expect(before + (await ahead.closed).length).toBe(count * repliesEach);
  });

  it('and reads no replies is not read from, until it reads', async () => {
    const { client, socket } = await connectDirectly(refuseAll);
    client.socket.pause();
    const flood = 'NOOP\r\n'.repeat(Math.ceil(floodBytes / 6));
    client.send(flood);
    await once(socket, 'pause');
    expect(socket.bytesRead).toBeLessThan(flood.length);
    expect(socket.writableLength).toBeLessThan(1024 * 1024);
    client.socket.resume();
    client.socket.end();
    const lines = await client.closed;
    expect(lines).toHaveLength(Math.ceil(floodBytes / 6));
    expect(new Set(lines)).toEqual(new Set(['250 2.0.0 OK']));
  });

  it('is throttled by slow look-ups, and all its commands get replies', async () => {
    const line = 'RCPT TO:<nobody-in-particular-at-all@us.test>\r\n';
    let answered = 0;
    let farthest = 0;
    const { client, socket } = await connectDirectly({
      ...refuseAll,
      resolveRecipient: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        answered += 1;
        farthest = Math.max(farthest, socket.bytesRead - answered * line.length);
        return { outcome: 'unknown' };
      },
    });
    await client.command('EHLO client.test');
    await client.command('MAIL FROM:<a@b.test>');
    const count = Math.ceil((2 * 1024 * 1024) / line.length);
    client.send(line.repeat(count));
    client.socket.end();
    expect(await client.closed).toHaveLength(count);
    expect(answered).toBe(count);
    expect(farthest).toBeLessThan(512 * 1024);
  });
});
