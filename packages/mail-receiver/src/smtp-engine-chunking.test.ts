// BDAT (RFC 3030): octets are counted and not looked at, so a miscount is a smuggled command. Exim's CVE-2017-16943
// and CVE-2017-16944 came from here.

import { describe, expect, it } from 'vitest';

import { EnginePeer, peerAfter } from '../../../test/support/smtp/engine-peer.ts';
import { replies } from './reply.ts';

const toBody = ['EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>'] as const;

describe('chunks', () => {
  it('make one message, each with its reply, the last with that of the store', () => {
    const peer = peerAfter(...toBody);
    expect(peer.say('BDAT 5\r\nab\r\ncBDAT 3\r\n\r\nxBDAT 2 LAST\r\n\r\nQUIT\r\n')).toEqual([
      '250 2.0.0 5 octets received',
      '250 2.0.0 3 octets received',
      '250 2.0.0 OK id',
      '221 2.0.0 Bye',
    ]);
    expect(peer.taken.map(({ text }) => text)).toEqual(['ab\r\nc\r\nx\r\n']);
  });

  it('are the same byte by byte and in pieces cut anywhere', () => {
    const sent = 'BDAT 9\r\n.\r\nQUIT\r\nBDAT 3 LAST\r\n.\r\nNOOP\r\n';
    for (let at = 1; at <= sent.length; at++) {
      const peer = peerAfter(...toBody);
      for (let from = 0; from < sent.length; from += at) peer.send(Buffer.from(sent.slice(from, from + at)));
      expect(peer.takeLines().map((line) => line.slice(0, 9))).toEqual([
        '250 2.0.0',
        '250 2.0.0',
        '250 2.0.0',
      ]);
      expect(peer.taken.map(({ text }) => text)).toEqual(['.\r\nQUIT\r\n.\r\n']);
    }
  });

  it('keep their dots: nothing is stuffed', () => {
    const peer = peerAfter(...toBody);
    peer.say('BDAT 10 LAST\r\n..a\r\n...\r\n');
    expect(peer.taken[0]?.text).toBe('..a\r\n...\r\n');
  });

  it('may be empty, the last too', () => {
    const peer = peerAfter(...toBody);
    expect(peer.codes('BDAT 0')).toEqual(['250 2.0.0']);
    expect(peer.say('BDAT 3\r\na\r\n')).toHaveLength(1);
    expect(peer.codes('BDAT 0 LAST')).toEqual(['250 2.0.0']);
    expect(peer.taken[0]?.text).toBe('a\r\n');
  });

  it('make a second message after the first', () => {
    const peer = peerAfter(...toBody);
    peer.say('BDAT 3 LAST\r\na\r\n');
    peer.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<two@us.test>');
    peer.say('BDAT 3 LAST\r\nb\r\n');
    expect(peer.taken.map(({ text, recipients }) => [text, recipients])).toEqual([
      ['a\r\n', ['one']],
      ['b\r\n', ['two']],
    ]);
  });
});

describe('a chunk that is refused', () => {
  it.each([
    ['before EHLO', [], '503 5.5.1'],
    ['before MAIL', ['EHLO client.test'], '503 5.5.1'],
    ['before RCPT', ['EHLO client.test', 'MAIL FROM:<a@b.test>'], '503 5.5.1'],
    ['after refused recipients', [...toBody.slice(0, 2), 'RCPT TO:<unknown@us.test>'], '554 5.5.1'],
  ])('%s has its octets swallowed before the reply', (_, lines, code) => {
    const peer = peerAfter(...lines);
    expect(peer.say('BDAT 12 LAST\r\nMAIL FROM:<')).toEqual([]);
    expect(peer.say('>NOOP\r\n').map((line) => line.slice(0, 9))).toEqual([code, '250 2.0.0']);
    expect(peer.taken).toEqual([]);
  });

  it('for want of room has its octets swallowed too, and ends the transaction', () => {
    const peer = peerAfter(...toBody);
    peer.bodyRefusal = replies.storageFull;
    expect(peer.say('BDAT 6 LAST\r\nQUIT\r\nNOOP\r\n').map((line) => line.slice(0, 9))).toEqual([
      '452 4.3.1',
      '250 2.0.0',
    ]);
    expect(peer.codes('RCPT TO:<one@us.test>')).toEqual(['503 5.5.1']);
  });

  it('for its size is refused once all of it has come', () => {
    const peer = new EnginePeer({ messageMaxBytes: 10 });
    peer.codes(...toBody);
    expect(peer.say('BDAT 8\r\n123456\r\n')).toEqual(['250 2.0.0 8 octets received']);
    expect(peer.say('BDAT 8\r\n123456\r\nNOOP\r\n').map((line) => line.slice(0, 9))).toEqual([
      '552 5.3.4',
      '250 2.0.0',
    ]);
    expect(peer.taken).toEqual([]);
  });
});

describe('a BDAT whose octets cannot be counted', () => {
  it.each([
    ['', '501 5.5.4'],
    ['LAST', '501 5.5.4'],
    ['-1', '501 5.5.4'],
    ['1.5', '501 5.5.4'],
    ['0x10', '501 5.5.4'],
    ['5 FIRST', '501 5.5.4'],
    ['5 LAST LAST', '501 5.5.4'],
    ['5LAST', '501 5.5.4'],
    ['184467440737095516150', '501 5.5.4'],
    ['18446744073709551615 LAST', '552 5.3.4'],
    ['4294967296', '552 5.3.4'],
  ])('"%s" ends the dialogue: what follows may be anything', (words, code) => {
    const peer = peerAfter(...toBody);
    expect(peer.codes(`BDAT ${words}`, 'MAIL FROM:<evil@b.test>', 'NOOP')).toEqual([code]);
    expect(peer.isClosed).toBe(true);
    expect(peer.taken).toEqual([]);
  });
});

describe('between chunks', () => {
  it.each(['DATA', 'MAIL FROM:<c@d.test>', 'RCPT TO:<two@us.test>'])('%s is out of order', (line) => {
    const peer = peerAfter(...toBody);
    peer.say('BDAT 3\r\na\r\n');
    expect(peer.codes(line)).toEqual(['503 5.5.1']);
    expect(peer.codes('BDAT 0 LAST')).toEqual(['250 2.0.0']);
    expect(peer.taken[0]).toMatchObject({ text: 'a\r\n', recipients: ['one'] });
  });

  it.each(['RSET', 'EHLO client.test'])('%s drops what has come', (line) => {
    const peer = peerAfter(...toBody);
    peer.say('BDAT 3\r\na\r\n');
    peer.codes(line);
    expect(peer.engine.isReceivingMessage).toBe(false);
    expect(peer.say('BDAT 0 LAST\r\n').map((reply) => reply.slice(0, 9))).toEqual(['503 5.5.1']);
    peer.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<two@us.test>');
    peer.say('BDAT 3 LAST\r\nb\r\n');
    expect(peer.taken.map(({ text }) => text)).toEqual(['b\r\n']);
  });
});

describe('line ends in chunks', () => {
  it.each([
    ['a bare LF', 'a\nb\r\n'],
    ['a bare CR', 'a\rb\r\n'],
    ['a CR at the very end', 'ab\r\n\r'],
    ['an LF at the very start', '\nab\r\n'],
    ['a CR twice', 'ab\r\r\n'],
  ])('%s: the message is refused at its end', (_, text) => {
    for (let cut = 0; cut <= text.length; cut++) {
      const peer = peerAfter(...toBody);
      const [first, last] = [text.slice(0, cut), text.slice(cut)];
      peer.say(`BDAT ${first.length}\r\n${first}`);
      expect(peer.say(`BDAT ${last.length} LAST\r\n${last}`)).toEqual([
        '550 5.6.11 Bare CR or LF in message',
      ]);
      expect(peer.taken).toEqual([]);
    }
  });
});
