import { describe, expect, it } from 'vitest';

import { EnginePeer, peerAfter, peerInData } from '../../../test/support/smtp/engine-peer.ts';
import { replies, type Reply } from './reply.ts';

const hello = 'EHLO client.test';
const toRecipients = [
  'MAIL FROM:<a@b.test>',
  'RCPT TO:<one@us.test>',
  'RCPT TO:<unknown@us.test>',
  'RCPT TO:<two@us.test>',
];

/** Returns the reports of refused messages, in short. */
function reportsOf(peer: EnginePeer): unknown[] {
  return peer.refused.map(({ recipients, reply, sizeBytes }) => [recipients, reply, sizeBytes]);
}

describe('a refused message is reported, with its accepted recipients, its sender and its size', () => {
  it('when it has a bare line end', () => {
    const peer = peerAfter(hello, ...toRecipients, 'DATA');
    expect(peer.say('one\ntwo\r\n.\r\n')).toEqual(['550 5.6.11 Bare CR or LF in message']);
    expect(peer.refused).toEqual([
      {
        kind: 'refused',
        recipients: ['one', 'two'],
        mailFrom: 'a@b.test',
        reply: replies.bareCarriageReturnOrLineFeed,
        sizeBytes: 9,
      },
    ]);
    expect(peer.codes('NOOP')).toEqual(['250 2.0.0']);
  });

  it('when it is larger than allowed, by as much as came', () => {
    const peer = new EnginePeer({ messageMaxBytes: 100 });
    peer.codes(hello, 'MAIL FROM:<>', 'RCPT TO:<one@us.test>');
    peer.say('DATA\r\n');
    peer.say(`${'x'.repeat(498)}\r\n.\r\n`);
    expect(reportsOf(peer)).toEqual([[['one'], replies.tooBig, 500]]);
    expect(peer.refused[0]?.mailFrom).toBeNull();
  });

  it('when a chunk makes it larger than allowed, once', () => {
    const peer = new EnginePeer({ messageMaxBytes: 100 });
    peer.codes(hello, 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
    peer.say(`BDAT 90\r\n${'x'.repeat(90)}`);
    peer.say(`BDAT 90\r\n${'x'.repeat(90)}`);
    peer.say(`BDAT 90 LAST\r\n${'x'.repeat(90)}`);
    expect(reportsOf(peer)).toEqual([[['one'], replies.tooBig, 180]]);
  });

  it('when there is no room for it, by the size declared', () => {
    for (const command of ['DATA\r\n', 'BDAT 5 LAST\r\nhello']) {
      for (const [size, sizeBytes] of [['', null] as const, [' SIZE=1234', 1234] as const]) {
        const peer = new EnginePeer();
        peer.bodyRefusal = replies.storageFull;
        peer.codes(hello, `MAIL FROM:<a@b.test>${size}`, 'RCPT TO:<one@us.test>');
        peer.say(command);
        expect(reportsOf(peer)).toEqual([[['one'], replies.storageFull, sizeBytes]]);
      }
    }
  });

  it.each([replies.recipientFull, replies.loop, replies.localError, replies.storageFull])(
    'when it is not stored: %j',
    (reply: Reply) => {
      const peer = peerInData();
      peer.answer = reply;
      peer.say('text\r\n.\r\n');
      expect(reportsOf(peer)).toEqual([[['one'], reply, 6]]);
    },
  );

  it('when the other side goes in the middle of it', () => {
    const inData = peerInData();
    inData.say('half of\r\nthe mess');
    inData.lose();
    expect(reportsOf(inData)).toEqual([[['one'], replies.connectionLost, 17]]);
    const inChunk = peerAfter(hello, ...toRecipients);
    inChunk.say('BDAT 10\r\nhello');
    inChunk.lose();
    expect(reportsOf(inChunk)).toEqual([[['one', 'two'], replies.connectionLost, 5]]);
    const betweenChunks = peerAfter(hello, ...toRecipients);
    betweenChunks.say('BDAT 5\r\nhello');
    betweenChunks.lose();
    expect(reportsOf(betweenChunks)).toEqual([[['one', 'two'], replies.connectionLost, 5]]);
  });

  it('when the dialogue ends over it', () => {
    const tooSoon = peerAfter(hello, ...toRecipients);
    tooSoon.say('DATA\r\ntext\r\n.\r\n');
    expect(reportsOf(tooSoon)).toEqual([[['one', 'two'], replies.dataTooSoon, null]]);
    const tooMuch = peerAfter(hello, ...toRecipients);
    tooMuch.say(`BDAT ${3 * 36 * 1024 * 1024} LAST\r\n`);
    expect(reportsOf(tooMuch)).toEqual([[['one', 'two'], replies.tooBig, null]]);
    const late = peerInData();
    late.say('text');
    late.engine.close(replies.timeout);
    late.lose();
    expect(reportsOf(late)).toEqual([[['one'], replies.timeout, 4]]);
  });
});

describe('nothing is reported', () => {
  it('for messages that are stored', () => {
    const peer = peerInData();
    peer.say('text\r\n.\r\nQUIT\r\n');
    peer.lose();
    expect(peer.taken).toHaveLength(1);
    expect(peer.refused).toEqual([]);
  });

  it('when no message was begun, or its sender gives it up', () => {
    for (const chunk of ['', 'BDAT 5\r\nhello']) {
      for (const last of ['RSET\r\n', 'QUIT\r\n', `${hello}\r\n`]) {
        const peer = peerAfter(hello, ...toRecipients);
        peer.say(`${chunk}${last}`);
        peer.lose();
        expect(peer.refused).toEqual([]);
      }
    }
    const peer = peerAfter(hello, ...toRecipients);
    peer.lose();
    expect(peer.refused).toEqual([]);
  });

  it('without an accepted recipient', () => {
    const peer = peerAfter(hello, 'MAIL FROM:<a@b.test>', 'RCPT TO:<unknown@us.test>');
    peer.say('DATA\r\nBDAT 5 LAST\r\nhello');
    peer.lose();
    expect(peer.refused).toEqual([]);
  });
});

describe('a refusal before a recipient is accepted is noted, with its stage and reply', () => {
  /** Returns what was noted, in short. */
  function earlyOf(peer: EnginePeer): unknown[] {
    return peer.engine.early
      .take()
      .map(({ stage, reply, mailFrom }) => [stage, reply, ...(mailFrom === undefined ? [] : [mailFrom])]);
  }

  it('for each command that is wrong or out of order', () => {
    const peer = new EnginePeer({ offersAuth: 'always', messageMaxBytes: 1000 });
    const wrong = [
      ...['NONSENSE', 'EHLO', 'MAIL FROM:<a@b.test>', hello, 'STARTTLS', 'AUTH NONE', 'RCPT TO:<a@b.test>'],
      ...['MAIL FROM:<a@b@c>', 'MAIL FROM:<a@b.test> SIZE=1001'],
    ];
    for (const line of wrong) peer.codes(line);
    expect(earlyOf(peer)).toEqual([
      ['command', replies.unrecognised],
      ['helo', replies.badArguments],
      ['mail', replies.helloFirst],
      ['tls', replies.notImplemented],
      ['auth', replies.unknownMechanism],
      ['rcpt', replies.mailFirst],
      ['mail', replies.badSender],
      ['mail', replies.tooBig, 'a@b.test'],
    ]);
    expect(peer.engine.early.helo).toBe('client.test');
    expect(earlyOf(peer)).toEqual([]);
  });

  it('for a sender that its driver refuses', () => {
    const peer = peerAfter(hello);
    peer.transactionRefusal = replies.blockedSender;
    peer.codes('MAIL FROM:<x@spam.test>', 'MAIL FROM:<>');
    expect(earlyOf(peer)).toEqual([
      ['mail', replies.blockedSender, 'x@spam.test'],
      ['mail', replies.blockedSender, null],
    ]);
  });

  it('for a dialogue that is ended, unless the peer left or the service stops', () => {
    const [http, silent, gone, stopped, quit] = Array.from({ length: 5 }, () => peerAfter(hello));
    http?.codes('GET / HTTP/1.1');
    silent?.engine.close(replies.timeout);
    gone?.lose();
    stopped?.engine.close(replies.shuttingDown);
    quit?.codes('QUIT');
    expect([http, silent, gone, stopped, quit].map((peer) => peer && earlyOf(peer))).toEqual([
      [['command', replies.notHttp]],
      [['command', replies.timeout]],
      [],
      [],
      [],
    ]);
  });

  it('but not once a recipient is accepted, nor for recipients that are refused, nor for the rest of a served dialogue', () => {
    const peer = peerAfter(
      hello,
      'MAIL FROM:<a@b.test>',
      'RCPT TO:<unknown@us.test>',
      'RCPT TO:<one@us.test>',
    );
    peer.codes('NONSENSE', 'DATA');
    peer.say('x\r\n.\r\n');
    peer.engine.close(replies.timeout);
    expect(earlyOf(peer)).toEqual([]);
  });

  it('within a bound, where nothing takes them', () => {
    const peer = peerAfter(hello);
    peer.codes(...Array.from({ length: 1000 }, () => 'NONSENSE'));
    expect(earlyOf(peer)).toHaveLength(100);
  });
});
