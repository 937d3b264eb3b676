// AUTH over real sockets: which session gets an authenticated connection's mail, where AUTH is offered, and when it
// ends.

import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { startTls } from '../support/smtp/secure-client.ts';
import { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type LentCapture, type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';
import { createTlsFiles } from '../support/servers/tls-files.ts';

const mail = 'Subject: x\r\n\r\ncaptured\r\n';

function login({ label, token }: Pick<LentCapture, 'label' | 'token'>): string {
  return `AUTH PLAIN ${Buffer.from(`\0${label}\0${token}`).toString('base64')}`;
}

async function greetAs(fixture: SmtpFixture, lent: LentCapture): Promise<SmtpClient> {
  const client = await fixture.greet();
  expect(await client.command(login(lent))).toBe('235 2.7.0 Authenticated');
  return client;
}

/** Connects through a balancer from an address of the Internet. */
async function greetFromFar({ port }: SmtpFixture): Promise<SmtpClient> {
  const client = new SmtpClient(connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }));
  client.send('PROXY TCP4 192.0.2.7 127.0.0.1 12345 25\r\n');
  await client.readReply();
  await client.command('EHLO client.test');
  return client;
}

async function announced(client: SmtpClient): Promise<string[]> {
  client.takeLines();
  client.send('EHLO client.test\r\n');
  const lines: string[] = [];
  do lines.push(await client.readLine());
  while (lines.at(-1)?.[3] === '-');
  return lines.map((line) => line.slice(4));
}

describe('a connection that authenticated as a capture session', () => {
  it('gives it the mail for every address that is not another session’s', async () => {
    const protocols: string[] = [];
    const fixture = await startSmtp({
      wrapReceiver: (receiver) => ({
        ...receiver,
        receiveMessage: (message, recipients) => {
          protocols.push(message.source.protocol);
          return receiver.receiveMessage(message, recipients);
        },
      }),
    });
    const lent = await fixture.capture();
    const fox = await fixture.lend('fox');
    const client = await greetAs(fixture, lent);
    const recipients = ['a@gmail.com', 'unknown@mayfly.test', 'b@x.example', fox.address];
    expect(await client.deliver(mail, ...recipients)).toMatch(/^250 /);
    expect(await fixture.textsOf(lent.session)).toEqual([mail]);
    expect(await fixture.textsOf(fox)).toEqual([mail]);
    expect(protocols).toEqual(['ESMTPA']);
    expect(await client.command('QUIT')).toMatch(/^221 /);
    expect(fixture.errors).toEqual([]);
  });

  it('changes nothing for another connection', async () => {
    const fixture = await startSmtp();
    const lent = await fixture.capture();
    await greetAs(fixture, lent);
    const other = await fixture.greet();
    await other.command('MAIL FROM:<a@b.test>');
    expect(await other.command('RCPT TO:<a@gmail.com>')).toBe('550 5.7.1 Relaying denied');
    expect(await other.command('RCPT TO:<unknown@mayfly.test>')).toBe('550 5.1.1 No such recipient');
  });

  it('keeps it over messages, RSET and EHLO, and gets 550 once the session has ended', async () => {
    const fixture = await startSmtp();
    const lent = await fixture.capture();
    const client = await greetAs(fixture, lent);
    for (const between of ['RSET', 'EHLO again.test', 'NOOP']) {
      expect(await client.deliver(mail, 'a@gmail.com')).toMatch(/^250 /);
      await client.command(between);
    }
    expect(await fixture.textsOf(lent.session)).toHaveLength(3);
    await fixture.services.endSession(lent.session);
    await client.command('MAIL FROM:<a@b.test>');
    expect(await client.command('RCPT TO:<a@gmail.com>')).toBe('550 5.7.1 Relaying denied');
    const late = await fixture.greet();
    expect(await late.command(login(lent))).toBe('535 5.7.8 Wrong user name or password');
  });

  it('replies 550 at the end of data if the session ended meanwhile', async () => {
    const fixture = await startSmtp();
    const lent = await fixture.capture();
    const client = await greetAs(fixture, lent);
    await client.startData('a@gmail.com');
    await fixture.services.endSession(lent.session);
    client.send(`${mail}.\r\n`);
    expect(await client.readReply()).toBe('550 5.1.1 No such recipient');
  });

  it('loses it with STARTTLS, and may authenticate again', async () => {
    const { certificate } = createTlsFiles('mx.test');
    const fixture = await startSmtp({ tls: certificate });
    const [one, two] = [await fixture.capture(), await fixture.capture()];
    const client = await startTls(await greetAs(fixture, one));
    await client.command('EHLO client.test');
    await client.command('MAIL FROM:<a@b.test>');
    expect(await client.command('RCPT TO:<a@gmail.com>')).toBe('550 5.7.1 Relaying denied');
    await client.command('RSET');
    expect(await client.command(login(two))).toMatch(/^235 /);
    expect(await client.deliver(mail, 'a@gmail.com')).toMatch(/^250 /);
    expect(await fixture.textsOf(one.session)).toEqual([]);
    expect(await fixture.textsOf(two.session)).toEqual([mail]);
  });
});

describe('AUTH', () => {
  const proxyAddresses = ['127.0.0.2'];

  it('unencrypted is for loopback alone, unless the operator allows it everywhere', async () => {
    const { certificate } = createTlsFiles('mx.test');
    const strict = await startSmtp({ settings: { proxyAddresses }, tls: certificate });
    const lent = await strict.capture();
    const client = await greetFromFar(strict);
    expect(await client.command(login(lent))).toMatch(/^538 5\.7\.11 /);
    const secure = await startTls(client);
    await secure.command('EHLO client.test');
    expect(await secure.command(login(lent))).toMatch(/^235 /);

    const open = await startSmtp({ settings: { proxyAddresses, authInsecure: 'on' } });
    const other = await open.capture();
    const far = await greetFromFar(open);
    expect(await far.command(login(other))).toMatch(/^235 /);
    expect(await far.deliver(mail, 'a@gmail.com')).toMatch(/^250 /);
  });

  it('is announced where it is accepted', async () => {
    const fixture = await startSmtp({ settings: { proxyAddresses } });
    expect(await announced(await fixture.greet())).toContain('AUTH PLAIN LOGIN');
    expect((await announced(await greetFromFar(fixture))).join()).not.toContain('AUTH');
  });

  it('with wrong passwords is refused until the network has had too many; right ones are accepted', async () => {
    const fixture = await startSmtp({ authFailuresPerMinute: 2 });
    const lent = await fixture.capture();
    const wrong = login({ label: lent.label, token: 'no' });
    const client = await fixture.greet();
    expect(await client.command(wrong)).toMatch(/^535 5\.7\.8 /);
    expect(await client.command(wrong)).toMatch(/^535 5\.7\.8 /);
    expect(await client.command(wrong)).toMatch(/^454 4\.7\.0 /);
    expect(await (await fixture.greet()).command(wrong)).toMatch(/^454 4\.7\.0 /);
    expect(await client.command(login(lent))).toMatch(/^235 /);
  });

  it('that cannot be checked gets a temporary reply', async () => {
    const fixture = await startSmtp({
      wrapReceiver: (receiver) => ({
        ...receiver,
        authenticateSmtp: () => Promise.reject(new Error('The store is down.')),
      }),
    });
    const client = await fixture.greet();
    expect(await client.command('AUTH PLAIN AGEAYg==')).toMatch(/^454 4\.7\.0 /);
    expect(fixture.errors).toEqual(['smtp.authentication_failed']);
    expect(await client.command('NOOP')).toMatch(/^250 /);
  });
});

it('1,000 connections with separate sessions, none of which sees another’s mail', async () => {
  const fixture = await startSmtp();
  const count = 1000;
  const lent: LentCapture[] = [];
  for (let at = 0; at < count; at++) lent.push(await fixture.capture());
  const clients: SmtpClient[] = [];
  for (const one of lent) clients.push(await greetAs(fixture, one));
  const replies = await Promise.all(
    clients.map((client, at) => client.deliver(`Subject: ${at}\r\n\r\nx\r\n`, 'all@same.example')),
  );
  expect(replies.filter((reply) => reply.startsWith('250 '))).toHaveLength(count);
  for (const [at, { session }] of lent.entries()) {
    expect(await fixture.textsOf(session)).toEqual([`Subject: ${at}\r\n\r\nx\r\n`]);
  }
}, 300_000);
