// Protection of the listener from greedy clients: caps, rates, budgets, low disk, early talkers, silence. And that
// guessing addresses reveals nothing.

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createLive } from '../contract/store-fixture.ts';
import { connectTo, SmtpClient } from '../support/smtp/smtp-client.ts';
import { startSmtp, testDomain } from '../support/smtp/smtp-fixture.ts';

async function connectFrom(port: number, localAddress: string): Promise<SmtpClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
  });
  return new SmtpClient(socket);
}

/** Connects through a proxy on this machine, for a client at this address. */
async function connectFor(port: number, clientAddress: string): Promise<SmtpClient> {
  const client = await connectTo(port);
  client.send(`PROXY TCP4 ${clientAddress} 192.0.2.25 40000 25\r\n`);
  return client;
}

const viaProxy = { proxyAddresses: ['127.0.0.1'] };
const [stranger, otherStranger] = ['203.0.113.5', '203.0.113.6'];

const calm = { isOverloaded: () => false, isDiskLow: () => false };

describe('one address', () => {
  it('gets its cap of connections and 421 4.7.0 beyond, while others are served', async () => {
    const fixture = await startSmtp({ settings: { connectionsPerAddressMax: 2 } });
    await fixture.greet();
    const second = await fixture.greet();
    const refused = await fixture.connect();
    expect(await refused.closed).toEqual([
      '421 4.7.0 Too many connections from your address, try again later',
    ]);
    expect(await (await connectFrom(fixture.port, '127.0.0.3')).readReply()).toMatch(/^220/);
    await second.command('QUIT');
    second.socket.end();
    await second.closed;
    let greeting = '';
    while (!greeting.startsWith('220 ')) greeting = await (await fixture.connect()).readReply();
    expect(greeting).toBe('220 mx.test ESMTP');
  });

  it('gets its rate of connections, however soon each ends', async () => {
    const fixture = await startSmtp({ settings: { ...viaProxy, connectsPerMinute: 3 } });
    const greetings: string[] = [];
    for (let count = 0; count < 5; count++) {
      const client = await connectFor(fixture.port, stranger);
      greetings.push((await client.readReply()).slice(0, 9));
      client.socket.end();
      await client.closed;
    }
    expect(greetings).toEqual(['220 mx.te', '220 mx.te', '220 mx.te', '421 4.7.0', '421 4.7.0']);
    expect(await (await connectFor(fixture.port, otherStranger)).readReply()).toMatch(/^220/);
  });

  it('has no rate on the machine itself, where a tester connects for every mail, but keeps its cap', async () => {
    const settings = { connectsPerMinute: 3, messagesPerMinute: 3, connectionsPerAddressMax: 2 };
    const fixture = await startSmtp({ settings });
    const session = await fixture.lend('one');
    for (let count = 0; count < 10; count++) {
      const client = await fixture.greet();
      expect(await client.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
      await client.command('QUIT');
      client.socket.end();
      await client.closed;
    }
    await Promise.all([fixture.greet(), fixture.greet()]);
    expect((await (await fixture.connect()).closed)[0]).toMatch(/^421 4\.7\.0 Too many connections/);
  });

  it('has its rate when a proxy on the machine says that it connects from there itself', async () => {
    const fixture = await startSmtp({ settings: { ...viaProxy, connectsPerMinute: 1 } });
    expect(await (await connectFor(fixture.port, '127.0.0.1')).readReply()).toMatch(/^220/);
    expect(await (await connectFor(fixture.port, '127.0.0.1')).readReply()).toMatch(/^421 4\.7\.0/);
  });

  it('gets its rate of messages, over all its connections', async () => {
    const fixture = await startSmtp({ settings: { ...viaProxy, messagesPerMinute: 3 } });
    const session = await fixture.lend('one');
    const [first, second] = [
      await connectFor(fixture.port, stranger),
      await connectFor(fixture.port, stranger),
    ];
    for (const client of [first, second]) {
      expect(await client.readReply()).toMatch(/^220/);
      await client.command('EHLO client.test');
    }
    for (const client of [first, second, first]) {
      expect(await client.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
    }
    for (const client of [first, second]) {
      expect(await client.command('MAIL FROM:<a@b.test>')).toBe(
        '450 4.7.1 Too many messages, try again later',
      );
    }
    expect(await fixture.textsOf(session)).toHaveLength(3);
  });

  it('that is flooded with connections never stops serving another', async () => {
    const fixture = await startSmtp({ settings: { connectionsPerAddressMax: 5, connectsPerMinute: 60 } });
    const session = await fixture.lend('one');
    const other = await connectFrom(fixture.port, '127.0.0.3');
    await other.readReply();
    await other.command('EHLO client.test');
    let refused = 0;
    for (let round = 0; round < 10; round++) {
      const flood = await Promise.all(Array.from({ length: 50 }, () => connectTo(fixture.port)));
      const firsts = await Promise.all(flood.map((client) => client.readReply()));
      refused += firsts.filter((reply) => reply.startsWith('421 4.7.0 ')).length;
      expect(await other.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
      for (const client of flood) client.socket.destroy();
    }
    expect(refused).toBeGreaterThan(400);
    expect(fixture.errors).toEqual([]);
  });
});

describe('budgets of a connection', () => {
  it('end it with 421 after so many unknown recipients', async () => {
    const fixture = await startSmtp({ settings: { unknownRecipientsMax: 3 } });
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@b.test>');
    for (let count = 0; count < 5; count++) client.send(`RCPT TO:<no${count}@${testDomain}>\r\n`);
    expect(await client.closed).toEqual([
      ...Array<string>(3).fill('550 5.1.1 No such recipient'),
      '421 4.7.0 Too many unknown recipients, closing connection',
    ]);
  });

  it('end it with 421 after so many bad commands', async () => {
    const fixture = await startSmtp({ settings: { badCommandsMax: 3 } });
    const client = await fixture.greet();
    client.send('A\r\nB\r\nC\r\nD\r\nE\r\n');
    expect((await client.closed).map((line) => line.slice(0, 9))).toEqual([
      ...Array<string>(3).fill('500 5.5.2'),
      '421 4.7.0',
    ]);
  });
});

describe('a disk below its floor', () => {
  it('is reported at DATA and at BDAT with 452 4.3.1, before any of the message, and the connection stays open', async () => {
    const state = { isDiskLow: true };
    const fixture = await startSmtp({ vitals: { ...calm, isDiskLow: () => state.isDiskLow } });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    const low = '452 4.3.1 Insufficient storage, try again later';
    expect(await client.startData(session.address)).toEqual([
      '250 2.1.0 Sender OK',
      '250 2.1.5 Recipient OK',
      low,
    ]);
    await client.command('MAIL FROM:<a@b.test>');
    await client.command(`RCPT TO:<${session.address}>`);
    client.send('BDAT 6 LAST\r\nRSET\r\nNOOP\r\n');
    expect([await client.readReply(), await client.readReply()]).toEqual([low, '250 2.0.0 OK']);
    state.isDiskLow = false;
    expect(await client.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
    expect(await fixture.textsOf(session)).toHaveLength(1);
  });
});

describe('a late event loop', () => {
  it('refuses new connections and serves existing ones', async () => {
    const state = { isOverloaded: false };
    const fixture = await startSmtp({ vitals: { ...calm, isOverloaded: () => state.isOverloaded } });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    state.isOverloaded = true;
    expect(await (await fixture.connect()).closed).toEqual(['421 4.3.2 Overloaded, try again later']);
    expect(await client.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
  });
});

describe('room for messages in progress', () => {
  const settings = { inFlightMaxBytes: 300_000, messageMaxBytes: 1_000_000 };

  it('counts received bytes, and is free again after each message', async () => {
    const fixture = await startSmtp({ settings });
    const session = await fixture.lend('one');
    const [first, second] = [await fixture.greet(), await fixture.greet()];
    const begin = async (client: SmtpClient, size: string): Promise<string> => {
      await client.command(`MAIL FROM:<a@b.test>${size}`);
      await client.command(`RCPT TO:<${session.address}>`);
      return client.command('BDAT 4\r\nS:');
    };
    expect(await begin(first, '')).toMatch(/^250/);
    expect(await first.command(`BDAT 200000\r\n${'x'.repeat(199_998)}`)).toMatch(/^250/);
    expect(await begin(second, ' SIZE=150000')).toMatch(/^452 4\.3\.1/);
    expect(await begin(second, '')).toMatch(/^250/);
    // More than available: refused at its end, when its bytes are released too.
    expect(await second.command(`BDAT 150000 LAST\r\n${'x'.repeat(149_998)}`)).toMatch(/^452 4\.3\.1/);
    expect(await second.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
    expect(await first.command('BDAT 0 LAST')).toMatch(/^250/);
    expect(await begin(second, ' SIZE=250000')).toMatch(/^250/);
  });

  it('is left by 119 connections that declare much, send DATA and then nothing', async () => {
    const fixture = await startSmtp({
      settings: { inFlightMaxBytes: 4 * 1024 ** 3, inFlightPerAddressMaxBytes: 2 ** 29 },
    });
    const session = await fixture.lend('one');
    const begin = async (at: number): Promise<string> => {
      const client = await connectFrom(fixture.port, `127.0.0.${2 + (at % 7)}`);
      await client.readReply();
      await client.command('EHLO idle.test');
      const size = at % 2 === 0 ? ' SIZE=37748736' : '';
      await client.command(`MAIL FROM:<a@b.test>${size}`);
      await client.command(`RCPT TO:<${session.address}>`);
      return client.command('DATA');
    };
    const clients = await Promise.all(Array.from({ length: 119 }, (_, at) => begin(at)));
    expect(new Set(clients.map((reply) => reply.slice(0, 3)))).toEqual(new Set(['354']));
    const stranger = await connectFrom(fixture.port, '127.0.9.1');
    await stranger.readReply();
    await stranger.command('EHLO stranger.test');
    const text = `Subject: x\r\n\r\n${'text\r\n'.repeat(200_000)}`;
    expect(await stranger.deliver(text, session.address)).toMatch(/^250/);
  });

  it.each([
    ['by its sender going', (client: SmtpClient) => client.socket.destroy()],
    ['by a reset', (client: SmtpClient) => client.socket.resetAndDestroy()],
    ['by RSET between chunks', (client: SmtpClient) => client.send('RSET\r\n')],
    ['by QUIT between chunks', (client: SmtpClient) => client.send('QUIT\r\n')],
    ['by too many octets', (client: SmtpClient) => client.send(`BDAT 990000\r\n${'x'.repeat(990_000)}`)],
  ])('is free again when a message ends %s', async (_, end) => {
    const fixture = await startSmtp({ settings: { ...settings, inFlightMaxBytes: 1 } });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@b.test>');
    await client.command(`RCPT TO:<${session.address}>`);
    client.send(`BDAT 200000\r\n${'x'.repeat(200_000)}`);
    expect(await client.readReply()).toBe('250 2.0.0 200000 octets received');
    const other = await fixture.greet();
    expect((await other.startData(session.address)).at(-1)).toMatch(/^452/);
    end(client);
    let reply = '';
    while (!reply.startsWith('354')) {
      reply = (await other.startData(session.address)).at(-1) ?? '';
      await delay(5);
    }
    other.send('Subject: x\r\n\r\n.\r\n');
    expect(await other.readReply()).toMatch(/^250/);
    expect(fixture.errors).toEqual([]);
  });
});

describe('a client that does not wait', () => {
  it('for the greeting is refused with 554 and gets no greeting', async () => {
    const fixture = await startSmtp();
    const client = await fixture.connect();
    client.send('EHLO early.test\r\nMAIL FROM:<a@b.test>\r\n');
    expect(await client.closed).toEqual(['554 5.5.0 Data before the greeting']);
  });

  it('is found without a clock: the greeting waits for no timer', async () => {
    const fixture = await startSmtp();
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const client = await fixture.connect();
    expect(await client.readReply()).toMatch(/^220 /);
  });

  it('for 354 is refused with 554, and its message is not stored', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    client.send(`MAIL FROM:<a@b.test>\r\nRCPT TO:<${session.address}>\r\nDATA\r\nSubject: x\r\n\r\n.\r\n`);
    expect((await client.closed).at(-1)).toBe('554 5.5.0 Data before 354');
    expect(await fixture.textsOf(session)).toEqual([]);
  });
});

describe('guessing addresses', () => {
  it('is no faster over many connections, and reveals nothing after too many attempts', async () => {
    const fixture = await startSmtp({
      settings: { unknownRecipientsMax: 20, unknownRecipientsPerMinute: 50 },
    });
    const session = await fixture.lend('one');
    const counts = new Map<string, number>();
    const guess = async (at: number): Promise<Awaited<ReturnType<typeof fixture.greet>>> => {
      const client = await fixture.greet();
      await client.command('MAIL FROM:<a@b.test>');
      for (let count = 0; count < 19; count++) {
        const code = (await client.command(`RCPT TO:<no${at}x${count}@${testDomain}>`)).slice(0, 9);
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
      return client;
    };
    const name = `RCPT TO:<${session.address}>`;
    expect(await (await guess(0)).command(name)).toMatch(/^250 /);
    // Together they pass the limit once both are through, not before.
    const guessers = await Promise.all([guess(1), guess(2)]);
    guessers.push(...(await Promise.all([guess(3), guess(4), guess(5), guess(6)])));
    for (const client of guessers) expect(await client.command(name)).toMatch(/^450 4\.7\.1 /);
    expect([...counts.keys()].toSorted()).toEqual(['450 4.7.1', '550 5.1.1']);
    // One reply per connection may be in progress when the last is counted, and the minute passes meanwhile.
    expect(counts.get('550 5.1.1')).toBeLessThan(100);
    const other = await connectFrom(fixture.port, '127.0.0.3');
    await other.readReply();
    await other.command('EHLO other.test');
    expect(await other.deliver('Subject: x\r\n\r\n', session.address)).toMatch(/^250/);
  });

  // That they take the same time is measured by smtp-enumeration.long.test.ts.
  it('reveals nothing: unknown, ended and quarantined get the same bytes', async () => {
    const fixture = await startSmtp();
    const { store } = fixture;
    await store.directory.addDomain('rest.test', 30 * 86_400_000, 0);
    const ended = await fixture.lend('ended');
    await store.mail.endSession(ended.key);
    const resting = await createLive(store, { address: 'resting@rest.test' });
    await store.mail.endSession(resting.key);
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@b.test>');
    const replies = new Set<string>();
    for (let round = 0; round < 5; round++) {
      for (const address of ['nobody@rest.test', ended.address, resting.address]) {
        replies.add(await client.command(`RCPT TO:<${address}>`));
      }
    }
    expect([...replies]).toEqual(['550 5.1.1 No such recipient']);
  });

  it('by VRFY and EXPN reveals nothing either', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    const replies = new Set<string>();
    for (const who of [session.address, `nobody@${testDomain}`, 'postmaster']) {
      replies.add(await client.command(`VRFY ${who}`));
    }
    expect([...replies]).toEqual([expect.stringMatching(/^252 2\.5\.2 /)]);
    expect(await client.command('EXPN list')).toBe('502 5.5.1 Command not implemented');
  });
});
