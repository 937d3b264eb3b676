// PROXY headers over real sockets, by hand and by HAProxy: which peers' headers are trusted, and which are not.

import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { startHaproxy } from '../support/servers/haproxy.ts';
import { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type SmtpFixture, type SmtpFixtureOptions, startSmtp } from '../support/smtp/smtp-fixture.ts';

const v2Signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const v2Local = Buffer.concat([v2Signature, Buffer.of(0x20, 0, 0, 0)]);

/** Starts a listener behind a balancer at 127.0.0.1, and records the addresses of its messages. */
async function startBehind(
  settings: SmtpFixtureOptions['settings'] = {},
): Promise<SmtpFixture & { readonly remotes: string[] }> {
  const remotes: string[] = [];
  const fixture = await startSmtp({
    settings: { proxyAddresses: ['127.0.0.1'], ...settings },
    wrapReceiver: (receiver) => ({
      ...receiver,
      receiveMessage: (message, recipients) => {
        remotes.push(message.source.remoteAddress);
        return receiver.receiveMessage(message, recipients);
      },
    }),
  });
  return { ...fixture, remotes };
}

async function connectFrom(port: number, localAddress: string): Promise<SmtpClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
  });
  return new SmtpClient(socket);
}

async function deliver(client: SmtpClient, recipient: string): Promise<string> {
  expect(await client.readReply()).toMatch(/^220/);
  expect(await client.command('EHLO client.test')).toMatch(/^250/);
  return client.deliver('Subject: x\r\n\r\n', recipient);
}

describe('HAProxy in front', () => {
  it.each(['send-proxy', 'send-proxy-v2'] as const)(
    'with %s: a message has its client’s address',
    async (header) => {
      const fixture = await startBehind();
      const session = await fixture.lend('one');
      const port = await startHaproxy(fixture.port, header);
      expect(await deliver(await connectFrom(port, '127.0.0.77'), session.address)).toMatch(/^250/);
      expect(fixture.remotes).toEqual(['127.0.0.77']);
    },
  );

  it('caps count each client, not the balancer', async () => {
    const fixture = await startBehind({ connectionsPerAddressMax: 1 });
    const port = await startHaproxy(fixture.port, 'send-proxy-v2');
    const first = await connectFrom(port, '127.0.0.77');
    expect(await first.readReply()).toMatch(/^220/);
    expect(await (await connectFrom(port, '127.0.0.77')).readReply()).toMatch(/^421 4\.7\.0 /);
    expect(await (await connectFrom(port, '127.0.0.78')).readReply()).toMatch(/^220/);
  });
});

describe('a balancer', () => {
  it.each([
    ['version 1', 'PROXY TCP4 192.0.2.7 127.0.0.1 12345 25\r\n', '192.0.2.7'],
    ['version 1 of IPv6', 'PROXY TCP6 2001:db8::7 ::1 12345 25\r\n', '2001:db8::7'],
    ['a mapped address', 'PROXY TCP6 ::ffff:192.0.2.7 ::1 12345 25\r\n', '192.0.2.7'],
    ['nothing it knows', 'PROXY UNKNOWN\r\n', '127.0.0.1'],
    ['LOCAL', v2Local, '127.0.0.1'],
  ])('that sends %s is trusted, in one piece or byte by byte', async (_, header, address) => {
    const fixture = await startBehind();
    const session = await fixture.lend('one');
    const whole = await fixture.connect();
    whole.send(header);
    expect(await deliver(whole, session.address)).toMatch(/^250/);
    const slow = await fixture.connect();
    for (const byte of Buffer.from(header)) slow.send(Buffer.of(byte));
    expect(await deliver(slow, session.address)).toMatch(/^250/);
    expect(fixture.remotes).toEqual([address, address]);
  });

  it.each([
    ['no header', 'EHLO client.test\r\n'],
    ['a broken one', 'PROXY TCP4 192.0.2.7\r\n'],
    ['one without end', `PROXY ${'x'.repeat(200)}`],
    ['version 3', Buffer.concat([v2Signature, Buffer.of(0x31, 0x11, 0, 0)])],
  ])('that sends %s gets 421 and no dialogue', async (_, sent) => {
    const fixture = await startBehind();
    const client = await fixture.connect();
    client.send(sent);
    expect(await client.closed).toEqual(['421 4.3.0 No valid PROXY header']);
    expect(fixture.errors).toEqual([]);
  });

  it('gets its client refused like any other when that talks first', async () => {
    const fixture = await startBehind();
    const client = await fixture.connect();
    client.send('PROXY TCP4 192.0.2.7 127.0.0.1 12345 25\r\nEHLO early.test\r\n');
    expect(await client.closed).toEqual(['554 5.5.0 Data before the greeting']);
  });

  it('leaves nothing behind when its client disconnects before it is named', async () => {
    const fixture = await startBehind({ connectionsMax: 1 });
    for (let count = 0; count < 3; count++) {
      const client = await fixture.connect();
      client.send('PROXY TCP4 192.0.2');
      client.socket.end();
      await client.closed;
    }
    const client = await fixture.connect();
    client.send('PROXY UNKNOWN\r\n');
    expect(await client.readReply()).toMatch(/^220/);
  });

  it('may be configured in any spelling', async () => {
    const fixture = await startBehind({ proxyAddresses: ['fe80::1%eth0', '::FFFF:7f00:1'] });
    const client = await fixture.connect();
    client.send('PROXY UNKNOWN\r\n');
    expect(await client.readReply()).toMatch(/^220/);
  });
});

describe('any other peer', () => {
  it('that sends a header sends a bad command, and keeps its address', async () => {
    const fixture = await startBehind({ proxyAddresses: ['127.0.0.1'] });
    const session = await fixture.lend('one');
    const client = await connectFrom(fixture.port, '127.0.0.9');
    expect(await client.readReply()).toMatch(/^220/);
    expect(await client.command('PROXY TCP4 192.0.2.7 127.0.0.1 12345 25')).toBe(
      '500 5.5.2 Command not recognised',
    );
    await client.command('EHLO client.test');
    await client.deliver('Subject: x\r\n\r\n', session.address);
    expect(fixture.remotes).toEqual(['127.0.0.9']);
  });

  it('that sends one at once has talked too soon', async () => {
    const fixture = await startBehind();
    const client = await connectFrom(fixture.port, '127.0.0.9');
    client.send('PROXY TCP4 192.0.2.7 127.0.0.1 12345 25\r\n');
    expect(await client.closed).toEqual(['554 5.5.0 Data before the greeting']);
  });
});
