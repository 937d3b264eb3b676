// The effect of an SMTP client's mail on the store, over a real socket: stored or refused, and when the reply is sent.

import { describe, expect, it } from 'vitest';

import type { MailReceiver } from '../../src/smtp/mail-receiver.ts';
import { createGate, type Gate } from '../support/gate.ts';
import { playTranscript } from '../support/smtp/play-transcript.ts';
import { type SmtpFixture, startSmtp } from '../support/smtp/smtp-fixture.ts';

const text = 'Subject: hello\r\n\r\nworld\r\n';

/** Holds messages at the gate before they reach the store. */
function heldAt(gate: Gate): (receiver: MailReceiver) => MailReceiver {
  return (receiver) => ({
    ...receiver,
    receiveMessage: async (message, sessions) => {
      await gate.pass();
      return receiver.receiveMessage(message, sessions);
    },
  });
}

async function hasContent({ store }: SmtpFixture): Promise<boolean> {
  return (await store.countRows()).content > 0;
}

describe('a message for one session', () => {
  it('is in the store, byte for byte, when 250 arrives', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    await playTranscript(
      await fixture.connect(),
      `S: 220 mx.test ESMTP
       C: EHLO client.test
       S: 250-mx.test
       S: 250-PIPELINING
       S: 250-SIZE 37748736
       S: 250-8BITMIME
       S: 250-SMTPUTF8
       S: 250-CHUNKING
       S: 250-AUTH PLAIN LOGIN
       S: 250 ENHANCEDSTATUSCODES
       C: MAIL FROM:<sender@client.test>
       C: RCPT TO:<One@Mayfly.Test>
       C: DATA
       S: 250 2.1.0…
       S: 250 2.1.5…
       S: 354 …
       C: Subject: hello
       C:
       C: ..world
       C: .
       S: 250 2.0.0 OK …`,
    );
    expect(await hasContent(fixture)).toBe(true);
    expect(await fixture.textsOf(session)).toEqual(['Subject: hello\r\n\r\n.world\r\n']);
    expect(fixture.incoming.count).toBe(0);
  });

  it('gets no 250 before the commit', async () => {
    const gate = createGate();
    const fixture = await startSmtp({ wrapReceiver: heldAt(gate) });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.startData(session.address);
    client.send(`${text}.\r\nNOOP\r\n`);
    await gate.reached;
    const other = await fixture.greet();
    expect(await other.command('NOOP')).toMatch(/^250/);
    expect(client.takeLines()).toEqual([]);
    expect(await hasContent(fixture)).toBe(false);
    gate.open();
    expect(await client.readReply()).toMatch(/^250 2\.0\.0 OK \w+$/);
    expect(await hasContent(fixture)).toBe(true);
    expect(await client.readReply()).toMatch(/^250 2\.0\.0 OK$/);
  });

  it('gets 451 when the store fails, and the next one is accepted', async () => {
    let failures = 1;
    const wrapReceiver = (receiver: MailReceiver): MailReceiver => ({
      ...receiver,
      receiveMessage: (message, sessions) =>
        failures-- > 0 ? Promise.reject(new Error('disk')) : receiver.receiveMessage(message, sessions),
    });
    const fixture = await startSmtp({ wrapReceiver });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    expect(await client.deliver(text, session.address)).toBe('451 4.3.0 Local error, try again later');
    expect(await hasContent(fixture)).toBe(false);
    expect(await client.deliver(text, session.address)).toMatch(/^250/);
    expect(await fixture.textsOf(session)).toEqual([text]);
    expect(fixture.errors).toEqual(['smtp.message_failed']);
  });

  it('gets 452 4.3.1 when the disk is full', async () => {
    const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    const fixture = await startSmtp({
      wrapReceiver: (receiver) => ({ ...receiver, receiveMessage: () => Promise.reject(full) }),
    });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    expect(await client.deliver(text, session.address)).toMatch(/^452 4\.3\.1/);
  });

  it('gets 451 at RCPT when the look-up fails', async () => {
    const fixture = await startSmtp({
      wrapReceiver: (receiver) => ({
        ...receiver,
        resolveRecipient: () => Promise.reject(new Error('down')),
      }),
    });
    const client = await fixture.greet();
    await client.command('MAIL FROM:<>');
    expect(await client.command('RCPT TO:<one@mayfly.test>')).toMatch(/^451 4\.3\.0/);
    expect(fixture.errors).toEqual(['smtp.recipient_failed']);
  });
});

describe('recipients', () => {
  it('that are unknown, ended or foreign are refused at RCPT, the first two by the same bytes', async () => {
    const fixture = await startSmtp();
    const ended = await fixture.lend('ended');
    await fixture.store.mail.endSession(ended.key);
    const client = await fixture.greet();
    await client.command('MAIL FROM:<sender@client.test>');
    const unknown = await client.command('RCPT TO:<nobody@mayfly.test>');
    expect(unknown).toMatch(/^550 5\.1\.1 /);
    expect(await client.command('RCPT TO:<ended@mayfly.test>')).toBe(unknown);
    expect(await client.command('RCPT TO:<someone@foreign.test>')).toMatch(/^550 5\.7\.1 /);
    expect(await client.command('DATA')).toMatch(/^554 5\.5\.1 /);
  });

  // Our domain, but not lent.
  const refusals: Record<string, RegExp> = { 'b@mayfly.test.': /^550 5\.1\.1 / };

  // Old syntaxes for relaying.
  it.each([
    'b@foreign.test',
    '@mayfly.test:b@foreign.test',
    '@mayfly.test,@x.test:b@foreign.test',
    '@foreign.test:b%c.test@mayfly.test',
    'b%foreign.test@mayfly.test',
    'b%foreign.test%c.test@mayfly.test',
    '"b@foreign.test"@mayfly.test',
    '"b%foreign.test"@mayfly.test',
    'b@foreign.test@mayfly.test',
    'foreign.test!b@mayfly.test',
    'mayfly.test!b@foreign.test',
    'foreign.test!x.test!b@mayfly.test',
    '"foreign.test!b"@mayfly.test',
    'b@[127.0.0.1]',
    'b@[IPv6:::1]',
    'b@127.0.0.1',
    'b@localhost',
    'b@mayfly.test.foreign.test',
    'b@sub.mayfly.test',
    'b@mayfly.test.',
  ])('<%s> is not relayed', async (path) => {
    const fixture = await startSmtp();
    await fixture.lend('one');
    const client = await fixture.greet();
    await client.command('MAIL FROM:<sender@client.test>');
    const expected = refusals[path] ?? /^550 5\.7\.1 /;
    expect(await client.command(`RCPT TO:<${path}>`)).toMatch(expected);
    expect(await client.command('DATA')).toMatch(/^554 /);
    expect(await hasContent(fixture)).toBe(false);
  });

  it('both get the message in one transaction to two sessions', async () => {
    const fixture = await startSmtp();
    const [one, two] = [await fixture.lend('one'), await fixture.lend('two')];
    const client = await fixture.greet();
    expect(await client.deliver(text, one.address, two.address, 'ONE@mayfly.test')).toMatch(/^250/);
    expect(await fixture.textsOf(one)).toEqual([text]);
    expect(await fixture.textsOf(two)).toEqual([text]);
  });

  it('that have ended at the commit are skipped, and the rest get the message', async () => {
    const gate = createGate();
    const fixture = await startSmtp({ wrapReceiver: heldAt(gate) });
    const [one, ends] = [await fixture.lend('one'), await fixture.lend('ends')];
    const client = await fixture.greet();
    await client.startData(one.address, ends.address);
    client.send(`${text}.\r\n`);
    await gate.reached;
    await fixture.store.mail.endSession(ends.key);
    gate.open();
    expect(await client.readReply()).toMatch(/^250/);
    expect(await fixture.textsOf(one)).toEqual([text]);
    expect((await fixture.store.mail.findSessionByKey(ends.key)).state).toBe('ended');
  });

  it('are all refused when one is full at the commit, and the retry is refused for that one', async () => {
    const gate = createGate();
    const fixture = await startSmtp({ quota: { messages: 1, bytes: 1e9 }, wrapReceiver: heldAt(gate) });
    const [one, ends, fills] = [
      await fixture.lend('one'),
      await fixture.lend('ends'),
      await fixture.lend('fills'),
    ];
    const client = await fixture.greet();
    await client.startData(one.address, ends.address, fills.address);
    client.send(`${text}.\r\n`);
    await gate.reached;
    await fixture.store.mail.endSession(ends.key);
    const fill = { key: fills.key, sizeBytes: 1, meta: Buffer.from('m'), raw: [Buffer.from('x')] };
    await fixture.store.mail.deliver([fill]);
    gate.open();
    expect(await client.readReply()).toBe('452 4.2.2 Recipient is over quota');
    expect(await fixture.textsOf(one)).toEqual([]);
    await client.command('MAIL FROM:<sender@client.test>');
    const replies = [];
    for (const { address } of [one, ends, fills]) replies.push(await client.command(`RCPT TO:<${address}>`));
    expect(replies.map((reply) => reply.slice(0, 9))).toEqual(['250 2.1.5', '550 5.1.1', '452 4.2.2']);
    await client.command('DATA');
    client.send(`${text}.\r\n`);
    expect(await client.readReply()).toMatch(/^250/);
    expect(await fixture.textsOf(one)).toEqual([text]);
  });

  it.each([
    ['all have ended', 'end', /^550 5\.1\.1 /],
    ['all are full', 'fill', /^452 4\.2\.2 /],
  ])('that are all gone at the commit have the message refused: %s', async (_, what, reply) => {
    const gate = createGate();
    const fixture = await startSmtp({ quota: { messages: 1, bytes: 1e9 }, wrapReceiver: heldAt(gate) });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.startData(session.address);
    client.send(`${text}.\r\n`);
    await gate.reached;
    const fill = { key: session.key, sizeBytes: 1, meta: Buffer.from('m'), raw: [Buffer.from('x')] };
    await (what === 'end' ? fixture.store.mail.endSession(session.key) : fixture.store.mail.deliver([fill]));
    gate.open();
    expect(await client.readReply()).toMatch(reply);
  });

  it('that are full are refused at RCPT with 452 4.2.2', async () => {
    const fixture = await startSmtp({ quota: { messages: 1, bytes: 1e9 } });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    expect(await client.deliver(text, session.address)).toMatch(/^250/);
    await client.command('MAIL FROM:<sender@client.test>');
    expect(await client.command(`RCPT TO:<${session.address}>`)).toMatch(/^452 4\.2\.2 /);
  });

  it('that would be full with a message of the declared size are refused at RCPT, not after it', async () => {
    const fixture = await startSmtp({ quota: { messages: 10, bytes: 1000 } });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    const declare = async (sizeBytes: number): Promise<string> => {
      await client.command('RSET');
      await client.command(`MAIL FROM:<sender@client.test> SIZE=${sizeBytes}`);
      return client.command(`RCPT TO:<${session.address}>`);
    };
    expect(await declare(1001)).toMatch(/^452 4\.2\.2 /);
    expect(await declare(1000)).toMatch(/^250 /);
    await client.command('RSET');
    expect(await client.deliver(`${'x'.repeat(398)}\r\n`, session.address)).toMatch(/^250 /);
    expect(await declare(601)).toMatch(/^452 4\.2\.2 /);
    expect((await fixture.attemptsOf(session)).some(({ reply }) => reply.startsWith('452 4.2.2'))).toBe(true);
  });

  it('on a disabled domain are still accepted while their session lives', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    await fixture.store.directory.disableDomain('mayfly.test');
    const client = await fixture.greet();
    expect(await client.deliver(text, session.address)).toMatch(/^250/);
  });
});

describe('impatient clients', () => {
  it('that disconnect in the middle of DATA leave nothing', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    for (const end of ['', '\r\n.', '\r\n.\r']) {
      const client = await fixture.greet();
      await client.startData(session.address);
      client.send(`half a message${end}`);
      client.socket.end();
      expect(await client.closed).toEqual([]);
    }
    expect(await hasContent(fixture)).toBe(false);
    expect(fixture.incoming.count).toBe(0);
    expect(fixture.errors).toEqual([]);
  });

  it('that reset the connection before 250 leave at most their message', async () => {
    const gate = createGate();
    const fixture = await startSmtp({ wrapReceiver: heldAt(gate) });
    const session = await fixture.lend('one');
    const client = await fixture.greet();
    await client.startData(session.address);
    client.send(`${text}.\r\n`);
    await gate.reached;
    client.socket.resetAndDestroy();
    gate.open();
    const other = await fixture.greet();
    expect(await other.deliver('other\r\n', session.address)).toMatch(/^250/);
    expect(await fixture.textsOf(session)).toEqual([text, 'other\r\n']);
  });

  it('that send everything and close their side, as nc does, get all replies', async () => {
    const gate = createGate();
    const fixture = await startSmtp({ wrapReceiver: heldAt(gate) });
    const session = await fixture.lend('one');
    const client = await fixture.connect();
    await client.readReply();
    client.send('EHLO client.test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<one@mayfly.test>\r\nDATA\r\n');
    while (!(await client.readReply()).startsWith('354'));
    client.socket.end(`${text}.\r\nNOOP\r\nVRFY x\r\nQUIT\r\n`);
    await gate.reached;
    gate.open();
    const codes = (await client.closed).map((line) => line.slice(0, 3));
    expect(codes).toEqual(['250', '250', '252', '221']);
    expect(await fixture.textsOf(session)).toEqual([text]);
  });

  it('that send byte by byte are served', async () => {
    const fixture = await startSmtp();
    const session = await fixture.lend('one');
    const client = await fixture.connect();
    const before = 'EHLO client.test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<one@mayfly.test>\r\nDATA\r\n';
    await client.readReply();
    for (const character of before) client.send(character);
    while (!(await client.readReply()).startsWith('354'));
    for (const character of `${text}.\r\nQUIT\r\n`) client.send(character);
    expect((await client.closed).map((line) => line.slice(0, 3))).toEqual(['250', '221']);
    expect(await fixture.textsOf(session)).toEqual([text]);
  });

  it('are all served, fifty at once', async () => {
    const fixture = await startSmtp();
    const sessions = await Promise.all(Array.from({ length: 5 }, (_, at) => fixture.lend(`s${at}`)));
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const client = await fixture.greet();
        const sent: string[] = [];
        for (let round = 0; round < 4; round++) {
          sent.push(await client.deliver(`${at}-${round}\r\n`, sessions[at % 5]!.address));
        }
        return [...sent, await client.command('QUIT')];
      }),
    );
    expect(
      replies
        .flat()
        .map((reply) => reply.slice(0, 3))
        .filter((code) => code === '250'),
    ).toHaveLength(200);
    const stored = (await Promise.all(sessions.map((session) => fixture.textsOf(session)))).flat();
    const sent = Array.from({ length: 200 }, (_, at) => `${Math.floor(at / 4)}-${at % 4}\r\n`);
    expect(stored.sort()).toEqual(sent.sort());
    expect(fixture.incoming.count).toBe(0);
  });
});
