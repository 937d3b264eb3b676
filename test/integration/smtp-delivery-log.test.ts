// A session's delivery log of dialogues over a real socket.

import { once } from 'node:events';
import { createSecureContext, connect as connectSecurely } from 'node:tls';

import { describe, expect, it } from 'vitest';

import type { LoggedAttempt } from '../../src/service/records/delivery-log.ts';
import { deleteMail } from '../../src/service/changes/delete-mail.ts';
import { createSessionCaches } from '../../src/service/mail/session-caches.ts';
import type { MailReceiver } from '../../src/smtp/mail-receiver.ts';
import { makeCertificate } from '../support/servers/certificate.ts';
import { SmtpClient } from '../support/smtp/smtp-client.ts';
import { type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';
import type { OpenSession } from '../../src/service/session/session-access.ts';

const text = 'Subject: hello\r\n\r\nworld\r\n';
const oneMessage = { messages: 1, bytes: 50_000_000 };

/** Returns the log once it has this many entries: those written in the background may follow the reply. */
async function attemptsOf(
  fixture: SmtpFixture,
  session: OpenSession,
  count: number,
): Promise<LoggedAttempt[]> {
  for (;;) {
    const attempts = await fixture.attemptsOf(session);
    if (attempts.length >= count) return attempts;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function inShort(attempts: readonly LoggedAttempt[]): unknown[] {
  return attempts.map(({ outcome, reply, sizeBytes }) => [outcome, reply, sizeBytes]);
}

describe('an accepted message', () => {
  it('is logged with the exact reply its sender got, over TLS too', async () => {
    const context = createSecureContext(makeCertificate('mx.test'));
    const fixture = await startSmtp({
      tls: { current: () => context, endsAt: 0, isTrusted: true, chainPem: '' },
    });
    const session = await fixture.lend('one');
    const plain = await fixture.greet();
    const replies = [await plain.deliver(text, session.address)];
    fixture.store.clock.advance(1000);
    await plain.command('STARTTLS');
    const socket = connectSecurely({ socket: plain.socket, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const secure = new SmtpClient(socket);
    await secure.command('EHLO client.test');
    replies.unshift(await secure.deliver(text, session.address));
    const attempts = await fixture.attemptsOf(session);
    expect(inShort(attempts)).toEqual(replies.map((reply) => ['accepted', reply, text.length]));
    expect(attempts).toMatchObject([
      { tls: expect.stringMatching(/^TLSv1\.\d \w+/), messageId: 2 },
      { tls: null, messageId: 1, remoteAddress: '127.0.0.1', mailFrom: 'sender@client.test' },
    ]);
  });

  it('is still logged when it has been deleted', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const reply = await (await fixture.greet()).deliver(text, session.address);
    await deleteMail({ mail: fixture.store.mail, ...createSessionCaches() }, session, 1);
    const attempts = await fixture.attemptsOf(session);
    expect(inShort(attempts)).toEqual([['accepted', reply, text.length]]);
    expect(attempts[0]?.messageId).toBeNull();
  });
});

describe('a refused message is logged', () => {
  it('when the session is full at RCPT', async () => {
    const fixture = await startSmtp({ quota: oneMessage });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    const taken = await client.deliver(text, session.address);
    fixture.store.clock.advance(1000);
    await client.command('MAIL FROM:<late@client.test> SIZE=4321');
    const reply = await client.command(`RCPT TO:<${session.address}>`);
    expect(reply).toMatch(/^452 4\.2\.2/);
    const attempts = await attemptsOf(fixture, session, 2);
    expect(inShort(attempts)).toEqual([
      ['refused', reply, 4321],
      ['accepted', taken, text.length],
    ]);
    expect(attempts[0]).toMatchObject({
      mailFrom: 'late@client.test',
      remoteAddress: '127.0.0.1',
      messageId: null,
    });
  });

  it('when a session is found full at the end, for all recipients, because none has the message', async () => {
    const fixture = await startSmtp({ quota: { messages: 1, bytes: 30 } });
    const [one, other] = [await fixture.lend('one'), await fixture.lend('other')];
    const client = await fixture.greet();
    await client.startData(one.address, other.address);
    const quicker = await fixture.greet();
    expect(await quicker.deliver('x\r\n', one.address)).toMatch(/^250/);
    fixture.store.clock.advance(1000);
    const full = '452 4.2.2 Recipient is over quota';
    client.send(`${'x'.repeat(26)}\r\n.\r\n`);
    expect(await client.readReply()).toBe(full);
    expect(inShort(await attemptsOf(fixture, one, 2))).toContainEqual(['refused', full, 28]);
    expect(inShort(await attemptsOf(fixture, other, 1))).toEqual([['refused', full, 28]]);
  });

  it('when it has a bare line feed, is too big, or loops, for its recipients alone', async () => {
    const fixture = await startSmtp({ settings: { messageMaxBytes: 5000 } });
    const [bare, big, looping] = [
      await fixture.lend('bare'),
      await fixture.lend('big'),
      await fixture.lend('loop'),
    ];
    const bystander = await fixture.lend('bystander');
    const client = await fixture.greet();
    const hops = 'Received: from x by y\r\n'.repeat(100);
    const cases: [OpenSession, string][] = [
      [bare, 'a\nb\r\n'],
      [big, `${'x'.repeat(5999)}\r\n`],
      [looping, hops],
    ];
    for (const [session, body] of cases) {
      const reply = await client.deliver(body, session.address, 'unknown@mayfly.test');
      expect(reply).toMatch(/^5/);
      expect(inShort(await attemptsOf(fixture, session, 1))).toEqual([['refused', reply, body.length]]);
    }
    expect(await fixture.attemptsOf(bystander)).toEqual([]);
  });

  it('when the disk is low or the store fails', async () => {
    let isDiskLow = true;
    const wrapReceiver = (receiver: MailReceiver): MailReceiver => ({
      ...receiver,
      receiveMessage: () => Promise.reject(new Error('broken')),
    });
    const vitals = { isOverloaded: () => false, isDiskLow: () => isDiskLow };
    const fixture = await startSmtp({ vitals, wrapReceiver });
    const [one, two] = [await fixture.lend('one'), await fixture.lend('two')];
    const client = await fixture.greet();
    const [, , low] = await client.startData(one.address);
    expect(low).toMatch(/^452 4\.3\.1/);
    expect(inShort(await attemptsOf(fixture, one, 1))).toEqual([['refused', low, null]]);
    isDiskLow = false;
    const failed = await client.deliver(text, two.address);
    expect(inShort(await attemptsOf(fixture, two, 1))).toEqual([['refused', failed, text.length]]);
  });

  it.each(['reset', 'closed'])('when the connection is %s in the middle of it', async (how) => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.startData(session.address);
    client.send('Subject: half\r\n');
    if (how === 'reset') client.socket.resetAndDestroy();
    else client.socket.end();
    const [attempt] = await attemptsOf(fixture, session, 1);
    expect(attempt).toMatchObject({ outcome: 'refused', reply: '421 4.4.2 Connection lost', tls: null });
    expect(fixture.incoming.count).toBe(0);
  });
});

it('begins with the session: the next holder of an address sees nothing of the last one’s', async () => {
  const fixture = await startSmtp({ quota: oneMessage });
  const client = await fixture.greet();
  const first = await fixture.lend('one');
  await client.deliver(text, first.address);
  await client.command('MAIL FROM:<>');
  await client.command(`RCPT TO:<${first.address}>`);
  await attemptsOf(fixture, first, 2);
  await fixture.store.mail.endSession(first.key);
  expect(await client.command(`RCPT TO:<${first.address}>`)).toMatch(/^550 5\.1\.1/);
  const second = await fixture.lend('one');
  expect(await fixture.attemptsOf(second)).toEqual([]);
  await client.command('RSET');
  await client.deliver(text, second.address);
  expect(await fixture.attemptsOf(second)).toMatchObject([{ outcome: 'accepted' }]);
});

it('keeps at most one refusal a second of a flood', async () => {
  const fixture = await startSmtp({ quota: oneMessage });
  const session = await fixture.lend('one');
  const client = await fixture.greet();
  await client.deliver(text, session.address);
  await client.command('MAIL FROM:<>');
  const begunAt = performance.now();
  const rcpt = `RCPT TO:<${session.address}>\r\n`;
  client.send(rcpt.repeat(500));
  for (let i = 0; i < 500; i++) expect(await client.readReply()).toMatch(/^452 4\.2\.2/);
  const seconds = (performance.now() - begunAt) / 1000;
  const refused = await fixture.store.attempts.listAttempts(session.key);
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(refused.length).toBeLessThanOrEqual(1 + Math.floor(seconds));
});
