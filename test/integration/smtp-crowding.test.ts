// A listener with every slot taken: by trickling senders, by one site, by peers that never close. Strangers are still
// served. Hours pass on the listener's clock, without waiting.

import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { SmtpClient } from '../support/smtp/smtp-client.ts';
import { startSmtp, type SmtpFixture } from '../support/smtp/smtp-fixture.ts';

const timedOut = '421 4.4.2 Timeout, closing connection';
const movedOn = '421 4.3.2 Too many connections, try again later';

async function connectFrom(fixture: SmtpFixture, localAddress: string): Promise<SmtpClient> {
  const socket = connect({ port: fixture.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  socket.setNoDelay(true);
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
  });
  return new SmtpClient(socket);
}

/** Each from a different /24. */
async function greetMany(fixture: SmtpFixture, count: number): Promise<SmtpClient[]> {
  const clients: SmtpClient[] = [];
  for (let at = 0; at < count; at++) {
    const client = await connectFrom(fixture, `127.0.${10 + at}.1`);
    await client.readReply();
    await client.command('EHLO slow.test');
    clients.push(client);
  }
  return clients;
}

/** Advances the clock at once. */
function pass(ms: number): void {
  const { now } = performance;
  performance.now = () => now.call(performance) + ms;
  onTestFinished(() => {
    performance.now = now;
  });
}

async function expectServed(fixture: SmtpFixture, from: string): Promise<void> {
  const session = await fixture.lend(`x${from.replaceAll('.', '-')}`);
  const stranger = await connectFrom(fixture, from);
  expect(await stranger.readReply()).toMatch(/^220 /);
  await stranger.command('EHLO stranger.test');
  expect(await stranger.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250 /);
  expect(await stranger.command('QUIT')).toMatch(/^221 /);
}

describe('every slot taken', () => {
  it('by senders without a recipient: the oldest goes for a newcomer', async () => {
    const fixture = await startSmtp({ settings: { connectionsMax: 8 } });
    const slow = await greetMany(fixture, 8);
    for (const client of slow) client.send('MAIL FR');
    const tooSoon = await connectFrom(fixture, '127.0.9.1');
    expect(await tooSoon.closed).toEqual([movedOn]);
    pass(4000);
    await expectServed(fixture, '127.0.9.1');
    expect(await slow[0]?.closed).toEqual([movedOn]);
    expect(slow.slice(1).every((client) => !client.socket.readableEnded)).toBe(true);
    expect(fixture.errors).toEqual([]);
  });

  it('by senders that have a recipient but send nothing to it', async () => {
    const fixture = await startSmtp({ settings: { connectionsMax: 8 } });
    const slow = await greetMany(fixture, 8);
    for (const client of slow) {
      await client.command('MAIL FROM:<a@b.test>');
      await client.command('RCPT TO:<postmaster>');
    }
    pass(16_000);
    await expectServed(fixture, '127.0.9.1');
    expect(await slow[0]?.closed).toEqual([movedOn]);
  });

  it('never ends one whose message is arriving or being stored', async () => {
    let release: () => void = () => undefined;
    const fixture = await startSmtp({
      settings: { connectionsMax: 2 },
      wrapReceiver: (receiver) => ({
        ...receiver,
        receiveMessage: async (message, recipients) => {
          await new Promise<void>((resolve) => (release = resolve));
          return receiver.receiveMessage(message, recipients);
        },
      }),
    });
    const session = await fixture.lend('one');
    const [coming, stored] = (await greetMany(fixture, 2)) as [SmtpClient, SmtpClient];
    await coming.startData(session.address);
    coming.send('Subject: x\r\n');
    await stored.startData(session.address);
    stored.send('Subject: x\r\n\r\n.\r\n');
    pass(31_000 - 2000);
    const refused = await connectFrom(fixture, '127.0.9.1');
    expect(await refused.closed).toEqual([movedOn]);
    release();
    expect(await stored.readReply()).toMatch(/^250 /);
    expect(coming.socket.readableEnded).toBe(false);
  });

  it('by one site with messages that do not arrive: one of them goes for a stranger, none for its neighbours', async () => {
    const fixture = await startSmtp({ settings: { connectionsMax: 8 } });
    const session = await fixture.lend('one');
    const slow: SmtpClient[] = [];
    for (let host = 1; host <= 8; host++) {
      const client = await connectFrom(fixture, `127.0.5.${host}`);
      await client.readReply();
      await client.command('EHLO slow.test');
      await client.startData(session.address);
      slow.push(client);
    }
    pass(6000);
    expect(await (await connectFrom(fixture, '127.0.5.9')).closed).toEqual([movedOn]);
    // Directly after them: the search for a slot that failed is repeated.
    await expectServed(fixture, '127.0.9.1');
    expect(await slow[0]?.closed).toEqual([movedOn]);
    expect(slow.slice(1).every((client) => !client.socket.readableEnded)).toBe(true);
  });

  it('by bytes now and then: all of them end within the minute, and others get their slots', async () => {
    const fixture = await startSmtp({ settings: { connectionsMax: 10 } });
    const session = await fixture.lend('one');
    const slow = await greetMany(fixture, 9);
    for (const client of slow.slice(0, 3)) await client.startData(session.address);
    let isOver = false;
    const ends = Promise.all(slow.map((client) => client.closed)).finally(() => (isOver = true));
    // Eight seconds pass between bytes.
    for (let round = 0; round < 8 && !isOver; round++) {
      for (const client of slow) if (client.socket.writable) client.send('x');
      pass(8000);
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    for (const lines of await ends) expect(lines).toEqual([timedOut]);
    await expectServed(fixture, '127.0.9.1');
  });
});

describe('one site', () => {
  it('has its share of the connections, over all its addresses', async () => {
    const fixture = await startSmtp({ settings: { connectionsPerSiteMax: 3 } });
    const greetings: string[] = [];
    for (const host of [1, 2, 3, 4]) {
      greetings.push((await (await connectFrom(fixture, `127.0.5.${host}`)).readReply()).slice(0, 9));
    }
    expect(greetings).toEqual(['220 mx.te', '220 mx.te', '220 mx.te', '421 4.7.0']);
    await expectServed(fixture, '127.0.6.1');
  });

  it('is a /48 in IPv6', async () => {
    const settings = { connectionsPerSiteMax: 2, proxyAddresses: ['127.0.0.1'] };
    const fixture = await startSmtp({ settings });
    const greetings: string[] = [];
    for (const address of ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:7:ff00::1', '2001:db8:8:1::1']) {
      const client = await fixture.connect();
      client.send(`PROXY TCP6 ${address} ::1 12345 25\r\n`);
      greetings.push((await client.readReply()).slice(0, 9));
    }
    expect(greetings).toEqual(['220 mx.te', '220 mx.te', '421 4.7.0', '220 mx.te']);
  });

  it('has its share of the room, and another still has some', async () => {
    const mebibyte = 1024 * 1024;
    const fixture = await startSmtp({
      settings: {
        inFlightMaxBytes: 8 * mebibyte,
        inFlightPerAddressMaxBytes: mebibyte,
        inFlightPerSiteMaxBytes: 2 * mebibyte,
      },
    });
    const session = await fixture.lend('one');
    const replies: string[] = [];
    for (let at = 0; at < 8; at++) {
      const client = await connectFrom(fixture, `127.0.5.${1 + (at % 4)}`);
      await client.readReply();
      await client.command('EHLO many.test');
      await client.command('MAIL FROM:<a@b.test>');
      await client.command(`RCPT TO:<${session.address}>`);
      const reply = await client.command(`BDAT 900002\r\n${'x'.repeat(900_000)}`);
      replies.push(reply.slice(0, 9));
    }
    expect(replies).toEqual([...Array<string>(2).fill('250 2.0.0'), ...Array<string>(6).fill('452 4.3.1')]);
    const stranger = await connectFrom(fixture, '127.0.6.1');
    await stranger.readReply();
    await stranger.command('EHLO stranger.test');
    const text = `Subject: x\r\n\r\n${'text\r\n'.repeat(150_000)}`;
    expect(await stranger.deliver(text, session.address)).toMatch(/^250 /);
  });
});
