// The listener’s records of refusals before a recipient is accepted, over real sockets.

import { once } from 'node:events';

import { describe, expect, it } from 'vitest';

import type { EarlyRefusal } from '../../src/service/records/early-refusals.ts';
import { eventually } from '../support/eventually.ts';
import { createTlsFiles } from '../support/servers/tls-files.ts';
import { type SmtpFixtureOptions, startSmtp } from '../support/smtp/smtp-fixture.ts';

type Receiver = Parameters<NonNullable<SmtpFixtureOptions['wrapReceiver']>>[0];

async function start(options: SmtpFixtureOptions = {}, replaced: Partial<Receiver> = {}) {
  const recorded: EarlyRefusal[] = [];
  const relayed: unknown[] = [];
  const fixture = await startSmtp({
    ...options,
    wrapReceiver: (receiver) => ({
      ...receiver,
      ...replaced,
      recordEarlyRefusal: (refusal) => void recorded.push(refusal),
      recordUnknownRecipient: (...noted) => void relayed.push(noted),
    }),
  });
  const inShort = (): string[] => recorded.map(({ stage, cause }) => `${stage} ${cause}`);
  return { fixture, recorded, relayed, inShort };
}

describe('a connection', () => {
  it('is recorded with its address when its network is blocked', async () => {
    const { fixture, recorded } = await start({}, { isNetworkBlocked: () => true });
    const client = await fixture.connect();
    expect(await client.closed).toEqual(['554 5.7.1 Mail from your network is refused here']);
    expect(recorded).toEqual([{ stage: 'connect', cause: 'blocked_network', remoteAddress: '127.0.0.1' }]);
  });

  it('is recorded with the address behind the proxy, and without one when the proxy names none', async () => {
    const settings = { proxyAddresses: ['127.0.0.1'], connectsPerMinute: 1 };
    const { fixture, recorded } = await start({ settings });
    for (const header of [
      'PROXY TCP4 203.0.113.5 192.0.2.25 40000 25',
      'PROXY TCP4 203.0.113.5 192.0.2.25 1 25',
    ]) {
      const client = await fixture.connect();
      client.send(`${header}\r\n`);
      await client.greeted;
    }
    const client = await fixture.connect();
    client.send('EHLO no.proxy\r\n');
    await client.closed;
    expect(recorded).toEqual([
      { stage: 'connect', cause: 'too_many_from_address', remoteAddress: '203.0.113.5' },
      { stage: 'connect', cause: 'bad_proxy_header', remoteAddress: '' },
    ]);
  });

  it('is recorded when the peer speaks before the greeting', async () => {
    const settings = { proxyAddresses: ['127.0.0.1'] };
    const { fixture, recorded } = await start({ settings });
    const client = await fixture.connect();
    client.send('PROXY TCP4 203.0.113.5 192.0.2.25 40000 25\r\nEHLO eager.test\r\n');
    await client.closed;
    expect(recorded).toEqual([{ stage: 'connect', cause: 'spoke_too_soon', remoteAddress: '203.0.113.5' }]);
  });
});

describe('a command', () => {
  it('is recorded with the name and the sender that the peer gave', async () => {
    const { fixture, recorded } = await start({}, { isSenderBlocked: (mailFrom) => mailFrom !== null });
    const client = await fixture.greet();
    await client.command('EHLO two words');
    await client.command('EHLO mx.spam.test');
    await client.command('MAIL FROM:<x@spam.test>');
    await client.command('MAIL FROM:<');
    expect(recorded).toEqual(
      [
        { stage: 'helo', cause: 'bad_arguments', helo: 'two words' },
        { stage: 'mail', cause: 'blocked_sender', helo: 'mx.spam.test', mailFrom: 'x@spam.test' },
        { stage: 'mail', cause: 'bad_sender', helo: 'mx.spam.test' },
      ].map((one) => ({ remoteAddress: '127.0.0.1', mailFrom: undefined, ...one })),
    );
  });

  it('is refused with 554 once the network of an open connection is blocked', async () => {
    let isBlocked = false;
    const { fixture, inShort } = await start({}, { isNetworkBlocked: () => isBlocked });
    const client = await fixture.greet();
    isBlocked = true;
    expect(await client.command('MAIL FROM:<a@b.test>')).toMatch(/^554 5\.7\.1 Mail from your network/);
    expect(inShort()).toEqual(['mail blocked_network']);
  });

  it('is recorded for a recipient of another domain with the host, and for one too many', async () => {
    const { fixture, relayed, inShort } = await start({ settings: { unknownRecipientsPerMinute: 1 } });
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@b.test>');
    await client.command('RCPT TO:<x@other.test>');
    await client.command('RCPT TO:<nobody@mayfly.test>');
    await client.command('RCPT TO:<nobody@mayfly.test>');
    const peer = {
      remoteAddress: '127.0.0.1',
      helo: 'client.test',
      tls: null,
      mailFrom: 'a@b.test',
      connection: expect.stringMatching(/-1$/) as string,
    };
    expect(relayed).toEqual([
      [{ localPart: 'x', domain: 'other.test' }, '550 5.7.1 Relaying denied', true, peer],
      [{ localPart: 'nobody', domain: 'mayfly.test' }, '550 5.1.1 No such recipient', false, peer],
    ]);
    expect(inShort()).toEqual(['rcpt too_many_unknown_of_network']);
  });
});

it('records a handshake that fails', async () => {
  const { fixture, inShort } = await start({ tls: createTlsFiles('mx.test').certificate });
  const client = await fixture.greet();
  await client.command('STARTTLS');
  client.send('this is no ClientHello\r\n');
  client.socket.end();
  await once(client.socket, 'close');
  await eventually(async () => inShort()[0], 'the handshake is recorded');
  expect(inShort()).toEqual(['tls handshake_failed']);
});

it('records nothing of a mail that is delivered', async () => {
  const { fixture, recorded } = await start();
  const session = await fixture.lend('one');
  const client = await fixture.greet();
  expect(await client.deliver('Subject: x\r\n\r\nhello\r\n', session.address)).toMatch(/^250/);
  await client.command('QUIT');
  expect(recorded).toEqual([]);
});
