import { describe, expect, it } from 'vitest';

import { EnginePeer, engineSettings } from '../../test/support/engine-peer.ts';
import { playTranscript } from '../../test/support/play-transcript.ts';
import { replies } from './reply.ts';
import { SmtpEngine } from './smtp-engine.ts';

const hello = 'EHLO client.test\r\n';
const toData = 'MAIL FROM:<a@b.test>\r\nRCPT TO:<one@us.test>\r\nDATA\r\n';

/** A peer whose dialogue has come as far as these lines bring it. */
function peerAfter(...lines: readonly string[]): EnginePeer {
  const peer = new EnginePeer();
  peer.takeLines();
  for (const line of lines) peer.codes(line);
  return peer;
}

function peerInData(): EnginePeer {
  return peerAfter('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'DATA');
}

describe('a dialogue', () => {
  it('takes a message from greeting to farewell', async () => {
    const peer = new EnginePeer();
    await playTranscript(
      peer,
      `S: 220 mx.test ESMTP
       C: EHLO client.test
       S: 250-mx.test
       S: 250-PIPELINING
       S: 250-SIZE 37748736
       S: 250-8BITMIME
       S: 250-SMTPUTF8
       S: 250-CHUNKING
       S: 250 ENHANCEDSTATUSCODES
       C: MAIL FROM:<a@b.test> SIZE=20 BODY=8BITMIME
       S: 250 2.1.0 Sender OK
       C: RCPT TO:<one@us.test>
       S: 250 2.1.5 Recipient OK
       C: DATA
       S: 354 …
       C: Subject: hello
       C:
       C: ..a dot
       C: .
       S: 250 2.0.0 OK id
       C: QUIT
       S: 221 2.0.0 Bye`,
    );
    expect(peer.isClosed).toBe(true);
    expect(peer.taken).toEqual([
      {
        mailFrom: 'a@b.test',
        rcptTo: ['one@us.test'],
        recipients: ['one'],
        text: 'Subject: hello\r\n\r\n.a dot\r\n',
        helo: 'client.test',
        isExtended: true,
        isUtf8: false,
      },
    ]);
  });

  it('answers pipelined commands in their order, each once (RFC 2920)', async () => {
    const peer = new EnginePeer();
    await playTranscript(
      peer,
      `S: 220 …
       C: EHLO client.test
       S: 250-mx.test
       S: 250-PIPELINING
       S: 250-SIZE…
       S: 250-8BITMIME
       S: 250-SMTPUTF8
       S: 250-CHUNKING
       S: 250 ENHANCEDSTATUSCODES
       C: MAIL FROM:<a@b.test>
       C: RCPT TO:<one@us.test>
       C: RCPT TO:<unknown@us.test>
       C: RCPT TO:<b@foreign.test>
       C: RCPT TO:<full@us.test>
       C: RCPT TO:<two@us.test>
       C: DATA
       S: 250 2.1.0…
       S: 250 2.1.5…
       S: 550 5.1.1…
       S: 550 5.7.1…
       S: 452 4.2.2…
       S: 250 2.1.5…
       S: 354 …
       C: text
       C: .
       C: MAIL FROM:<>
       C: RCPT TO:<three@us.test>
       C: DATA
       S: 250 2.0.0…
       S: 250 2.1.0…
       S: 250 2.1.5…
       S: 354 …
       C: more
       C: .
       C: QUIT
       S: 250 2.0.0…
       S: 221 …`,
    );
    expect(peer.takeLines()).toEqual([]);
    expect(peer.taken.map(({ mailFrom, recipients }) => ({ mailFrom, recipients }))).toEqual([
      { mailFrom: 'a@b.test', recipients: ['one', 'two'] },
      { mailFrom: null, recipients: ['three'] },
    ]);
  });

  it('goes the same way byte by byte', () => {
    const peer = new EnginePeer();
    const sent = `${hello}${toData}text\r\n.\r\nQUIT\r\n`;
    for (const character of sent) peer.send(Buffer.from(character));
    expect(peer.takeLines().filter((line) => line[3] === ' ')).toEqual([
      '220 mx.test ESMTP',
      '250 ENHANCEDSTATUSCODES',
      '250 2.1.0 Sender OK',
      '250 2.1.5 Recipient OK',
      '354 End data with <CR><LF>.<CR><LF>',
      '250 2.0.0 OK id',
      '221 2.0.0 Bye',
    ]);
    expect(peer.taken).toHaveLength(1);
  });

  it('knows a message came by plain SMTP after HELO, and keeps spellings', () => {
    const peer = peerAfter('helo client.test', 'mail from:<A@B.Test>', 'rcpt to:<One@US.test>', 'data');
    expect(peer.codes('x', '.')).toEqual(['250 2.0.0']);
    expect(peer.taken[0]).toMatchObject({ isExtended: false, mailFrom: 'A@B.Test', rcptTo: ['One@US.test'] });
  });

  it('lists no extensions after HELO', () => {
    expect(peerAfter().say('HELO client.test\r\n')).toEqual(['250 mx.test']);
  });

  it('passes on addresses in UTF-8 when SMTPUTF8 was given', () => {
    const peer = peerAfter('EHLO client.test');
    peer.send(Buffer.from('MAIL FROM:<jörg@b.test> SMTPUTF8\r\nRCPT TO:<用户@us.test>\r\nDATA\r\n'));
    expect(peer.codes('x', '.').at(-1)).toBe('250 2.0.0');
    expect(peer.taken[0]).toMatchObject({ mailFrom: 'jörg@b.test', rcptTo: ['用户@us.test'], isUtf8: true });
  });
});

// Seven states and every verb: what each is answered with.
describe('states and verbs', () => {
  const states = {
    connected: [],
    'greeted by HELO': ['HELO client.test'],
    'greeted by EHLO': ['EHLO client.test'],
    'after MAIL': ['EHLO client.test', 'MAIL FROM:<a@b.test>'],
    'after a refused RCPT': ['EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<unknown@us.test>'],
    'after RCPT': ['EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>'],
    'after a message': [
      ...['EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>'],
      ...['DATA', 'text', '.'],
    ],
  };
  const same = (code: string): string[] => Object.keys(states).map(() => code);
  const table: [string, string[]][] = [
    ['EHLO again.test', same('250')],
    ['HELO again.test', same('250')],
    ['EHLO', same('501 5.5.4')],
    ['HELO two words', same('501 5.5.4')],
    [
      'MAIL FROM:<c@d.test>',
      ['503 5.5.1', '250 2.1.0', '250 2.1.0', '503 5.5.1', '503 5.5.1', '503 5.5.1', '250 2.1.0'],
    ],
    [
      'MAIL nonsense',
      ['503 5.5.1', '501 5.1.7', '501 5.1.7', '503 5.5.1', '503 5.5.1', '503 5.5.1', '501 5.1.7'],
    ],
    [
      'RCPT TO:<two@us.test>',
      ['503 5.5.1', '503 5.5.1', '503 5.5.1', '250 2.1.5', '250 2.1.5', '250 2.1.5', '503 5.5.1'],
    ],
    [
      'RCPT nonsense',
      ['503 5.5.1', '503 5.5.1', '503 5.5.1', '501 5.1.3', '501 5.1.3', '501 5.1.3', '503 5.5.1'],
    ],
    ['DATA', ['503 5.5.1', '503 5.5.1', '503 5.5.1', '503 5.5.1', '554 5.5.1', '354', '503 5.5.1']],
    ['DATA now', ['503 5.5.1', '503 5.5.1', '503 5.5.1', '501 5.5.4', '501 5.5.4', '501 5.5.4', '503 5.5.1']],
    ['RSET', same('250 2.0.0')],
    ['RSET now', same('501 5.5.4')],
    ['NOOP', same('250 2.0.0')],
    ['NOOP with words', same('250 2.0.0')],
    ['VRFY one', same('252 2.5.2')],
    ['VRFY unknown@us.test', same('252 2.5.2')],
    ['VRFY', same('501 5.5.4')],
    ['EXPN list', same('502 5.5.1')],
    ['HELP', same('502 5.5.1')],
    ['AUTH PLAIN AGEAYg==', same('502 5.5.1')],
    ['STARTTLS', same('502 5.5.1')],
    [
      'BDAT 0 LAST',
      ['503 5.5.1', '503 5.5.1', '503 5.5.1', '503 5.5.1', '554 5.5.1', '250 2.0.0', '503 5.5.1'],
    ],
    ['BDAT four', same('501 5.5.4')],
    ['ETRN us.test', same('502 5.5.1')],
    ['TURN', same('502 5.5.1')],
    ['XYZZY', same('500 5.5.2')],
    ['', same('500 5.5.2')],
    ['GET / HTTP/1.1', same('500 5.5.2')],
    ['QUIT', same('221 2.0.0')],
  ];

  it.each(table)('%s', (line, codes) => {
    const answered = Object.values(states).map((lines) => peerAfter(...lines).codes(line));
    expect(answered).toEqual(codes.map((code) => [code]));
  });

  it('inside DATA every verb is text', () => {
    const peer = peerInData();
    const lines = table.map(([line]) => line);
    expect(peer.codes(...lines)).toEqual([]);
    expect(peer.codes('.')).toEqual(['250 2.0.0']);
    expect(peer.taken[0]?.text).toBe(lines.map((line) => `${line}\r\n`).join(''));
  });

  it('verbs may be written in any case', () => {
    expect(peerAfter('eHlO client.test').codes('nOoP', 'Mail From:<a@b.test>', 'rSeT', 'qUiT')).toEqual([
      '250 2.0.0',
      '250 2.1.0',
      '250 2.0.0',
      '221 2.0.0',
    ]);
  });

  it('nothing is answered after QUIT', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.codes('QUIT', 'NOOP', 'MAIL FROM:<a@b.test>')).toEqual(['221 2.0.0']);
  });
});

describe('the order of a transaction', () => {
  it.each(['RSET', 'EHLO client.test', 'HELO client.test'])('%s ends it', (line) => {
    const peer = peerAfter('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
    peer.codes(line);
    expect(peer.codes('DATA', 'RCPT TO:<one@us.test>', 'MAIL FROM:<c@d.test>')).toEqual([
      '503 5.5.1',
      '503 5.5.1',
      '250 2.1.0',
    ]);
  });

  it('RSET before EHLO leaves EHLO still to be said', () => {
    expect(peerAfter().codes('RSET', 'MAIL FROM:<a@b.test>')).toEqual(['250 2.0.0', '503 5.5.1']);
  });

  it('a refused MAIL opens none', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.codes('MAIL FROM:<bad', 'RCPT TO:<one@us.test>')).toEqual(['501 5.1.7', '503 5.5.1']);
  });

  it('recipients of the last transaction are not those of the next', () => {
    const peer = peerAfter('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'RSET');
    peer.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<two@us.test>', 'DATA');
    peer.codes('text', '.');
    expect(peer.taken.map((message) => message.recipients)).toEqual([['two']]);
  });

  it('a message that the store refuses ends it too', () => {
    const peer = peerInData();
    peer.answer = replies.localError;
    expect(peer.codes('text', '.')).toEqual(['451 4.3.0']);
    expect(peer.codes('DATA', 'MAIL FROM:<a@b.test>')).toEqual(['503 5.5.1', '250 2.1.0']);
  });

  it('is in the open from MAIL until its message is handed over', () => {
    const peer = peerAfter('EHLO client.test');
    const open: boolean[] = [];
    for (const line of ['NOOP', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'DATA', 'text', '.']) {
      peer.codes(line);
      open.push(peer.engine.isInTransaction);
    }
    expect(open).toEqual([false, true, true, true, true, false]);
  });
});

describe('data before 354 (RFC 2920 §3.1)', () => {
  it('ends the dialogue with 554 and takes no message', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.say(`${toData}text\r\n.\r\nMAIL FROM:<x@y.test>\r\n`)).toEqual([
      '250 2.1.0 Sender OK',
      '250 2.1.5 Recipient OK',
      '554 5.5.0 Data before 354',
    ]);
    expect(peer.isClosed).toBe(true);
    expect(peer.taken).toEqual([]);
  });

  it('a refused DATA leaves what follows to be commands', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<unknown@us.test>', 'DATA', 'RSET')).toEqual([
      '250 2.1.0',
      '550 5.1.1',
      '554 5.5.1',
      '250 2.0.0',
    ]);
  });
});

// CVE-2023-51764 to -51766: each false end with a second transaction behind it, which must never be one.
describe('smuggling', () => {
  const second = `${toData}smuggled\r\n.\r\n`;
  const bare = [
    '\n.\n',
    '\n.\r',
    '\r.\n',
    '\r.\r',
    '\n.\r\n',
    '\r.\r\n',
    '\r\n.\n',
    '\r\n.\r',
    '\r\n.\r\r\n',
  ];
  const ends = [...bare, '\r\r\n.\r\r\n'];

  function send(sent: Buffer, pieceAt: number | 'byte by byte'): EnginePeer {
    const peer = peerInData();
    if (pieceAt === 'byte by byte') for (const byte of sent) peer.send(Buffer.of(byte));
    else for (const piece of [sent.subarray(0, pieceAt), sent.subarray(pieceAt)]) peer.send(piece);
    return peer;
  }

  it.each(ends.map((end) => [JSON.stringify(end), end]))('%s: the whole is refused with 550', (_, end) => {
    const sent = Buffer.from(`first${end}${second}`);
    for (const pieceAt of ['byte by byte' as const, ...sent.keys()]) {
      const peer = send(sent, pieceAt);
      expect(peer.takeLines().slice(-1)).toEqual(['550 5.6.11 Bare CR or LF in message']);
      expect(peer.taken).toEqual([]);
      expect(peer.codes('NOOP', 'DATA')).toEqual(['250 2.0.0', '503 5.5.1']);
    }
  });

  it.each(['\r\n\0.\r\n', '\r\n.\0\r\n'].map((end) => [JSON.stringify(end), end]))(
    '%s: the whole is one message',
    (_, end) => {
      const sent = Buffer.from(`first${end}${second}`);
      for (const pieceAt of ['byte by byte' as const, ...sent.keys()]) {
        const peer = send(sent, pieceAt);
        expect(peer.taken).toHaveLength(1);
        expect(peer.taken[0]?.text).toContain('RCPT TO:<one@us.test>');
        expect(peer.codes('NOOP')).toEqual(['250 2.0.0', '250 2.0.0']);
      }
    },
  );
});

describe('recipients', () => {
  it('further ones than recipientsMax get 452 4.5.3, and those before get the message', () => {
    const peer = new EnginePeer({ recipientsMax: 3 });
    peer.codes('EHLO client.test', 'MAIL FROM:<a@b.test>');
    const rcpt = (name: string): string => `RCPT TO:<${name}@us.test>`;
    expect(peer.codes(...['r1', 'unknown', 'r2', 'r3', 'r4', 'r5'].map(rcpt))).toEqual([
      '250 2.1.5',
      '550 5.1.1',
      '250 2.1.5',
      '250 2.1.5',
      '452 4.5.3',
      '452 4.5.3',
    ]);
    expect(peer.codes('DATA')).toEqual(['354']);
    peer.codes('text', '.');
    expect(peer.taken[0]?.recipients).toEqual(['r1', 'r2', 'r3']);
  });

  it('a hundred are taken by default (RFC 5321 §4.5.3.1.8)', () => {
    const peer = peerAfter('EHLO client.test', 'MAIL FROM:<a@b.test>');
    const codes = peer.codes(...Array.from({ length: 101 }, (_, at) => `RCPT TO:<r${at}@us.test>`));
    expect(codes.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => '250 2.1.5'));
    expect(codes[100]).toBe('452 4.5.3');
  });

  it('the declared size times recipients stays within 64 MiB', () => {
    const peer = peerAfter('EHLO client.test', `MAIL FROM:<a@b.test> SIZE=${16 * 1024 * 1024}`);
    expect(peer.codes(...['a', 'b', 'c', 'd', 'e'].map((name) => `RCPT TO:<${name}@us.test>`))).toEqual([
      '250 2.1.5',
      '250 2.1.5',
      '250 2.1.5',
      '250 2.1.5',
      '452 4.5.3',
    ]);
  });

  it('one message of the full size is taken for one recipient and not for two', () => {
    const peer = peerAfter('EHLO client.test', `MAIL FROM:<a@b.test> SIZE=${36 * 1024 * 1024}`);
    expect(peer.codes('RCPT TO:<a@us.test>', 'RCPT TO:<b@us.test>')).toEqual(['250 2.1.5', '452 4.5.3']);
  });

  it('an undeclared size times recipients past 64 MiB is refused at the end with 552 5.3.4', () => {
    const peer = peerAfter('EHLO client.test', 'MAIL FROM:<a@b.test>');
    peer.codes(...['a', 'b', 'c', 'd'].map((name) => `RCPT TO:<${name}@us.test>`), 'DATA');
    const mebibyte = Buffer.from(`${'x'.repeat(1022)}\r\n`.repeat(1024));
    for (let sent = 0; sent < 17; sent++) peer.send(mebibyte);
    expect(peer.codes('.')).toEqual(['552 5.3.4']);
    expect(peer.taken).toEqual([]);
  });
});

describe('sizes', () => {
  it('a declared size past the maximum is refused at MAIL (RFC 1870 §6.1)', () => {
    const peer = new EnginePeer({ messageMaxBytes: 1000 });
    peer.codes('EHLO client.test');
    expect(peer.codes('MAIL FROM:<a@b.test> SIZE=1001')).toEqual(['552 5.3.4']);
    expect(peer.codes('MAIL FROM:<a@b.test> SIZE=18446744073709551615')).toEqual(['552 5.3.4']);
    expect(peer.codes('MAIL FROM:<a@b.test> SIZE=1000')).toEqual(['250 2.1.0']);
  });

  it.each([
    [1000, '250 2.0.0'],
    [1001, '552 5.3.4'],
    [100_000, '552 5.3.4'],
  ])('a message of %i bytes is answered with %s where 1000 are allowed', (bytes, code) => {
    const peer = new EnginePeer({ messageMaxBytes: 1000 });
    peer.codes('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'DATA');
    expect(peer.codes('x'.repeat(bytes - 2), '.')).toEqual([code]);
    expect(peer.taken.map(({ text }) => text.length)).toEqual(code.startsWith('250') ? [bytes] : []);
    expect(peer.codes('NOOP', 'MAIL FROM:<a@b.test>')).toEqual(['250 2.0.0', '250 2.1.0']);
  });

  it('counts bytes without the dots of stuffing', () => {
    const peer = new EnginePeer({ messageMaxBytes: 9 });
    peer.codes('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'DATA');
    expect(peer.codes('..', '..', '..', '.')).toEqual(['250 2.0.0']);
  });

  it('a message of no bytes is a message', () => {
    const peer = peerInData();
    expect(peer.codes('.')).toEqual(['250 2.0.0']);
    expect(peer.taken[0]?.text).toBe('');
  });

  it('a line of a message may be long', () => {
    const peer = peerInData();
    expect(peer.codes('x'.repeat(100_000), '.')).toEqual(['250 2.0.0']);
  });
});

describe('command lines', () => {
  it('of 2,048 octets are read', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.codes(`NOOP ${'x'.repeat(2042)}`)).toEqual(['250 2.0.0']);
  });

  it.each([
    ['with its end', `NOOP ${'x'.repeat(2100)}\r\nNOOP\r\n`],
    ['without an end', 'x'.repeat(2100)],
    ['of 100,000 bytes', `${'x'.repeat(100_000)}\r\nNOOP\r\n`],
  ])('a longer one %s gets 500 and ends the dialogue', (_, sent) => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.say(sent)).toEqual(['500 5.5.2 Line too long']);
    expect(peer.isClosed).toBe(true);
  });

  it('without an end is not gathered beyond the limit', () => {
    const peer = peerAfter('EHLO client.test');
    for (let sent = 0; sent < 3000 && !peer.isClosed; sent++) peer.send(Buffer.from('x'));
    expect(peer.isClosed).toBe(true);
    expect(peer.engine.waitingBytes).toBe(0);
  });

  it('that end in a bare LF are refused and not carried out', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.say('MAIL FROM:<a@b.test>\nRCPT TO:<one@us.test>\nNOOP\r\n\n')).toEqual([
      '500 5.5.2 Lines end with CR LF',
      '500 5.5.2 Lines end with CR LF',
      '250 2.0.0 OK',
      '500 5.5.2 Lines end with CR LF',
    ]);
  });

  // GHSA-54wq-72mp-cq7c (Mailpit), GHSA-g7hc-96xr-gvvx (MimeKit): line ends smuggled into the envelope.
  it.each([
    ['a CR in an address', 'MAIL FROM:<a\rX-Evil: 1@b.test>'],
    ['a CR after the path', 'MAIL FROM:<a@b.test>\r'],
    ['NUL', 'MAIL FROM:<a\0@b.test>'],
    ['NUL alone', '\0'],
    ['TAB', 'MAIL\tFROM:<a@b.test>'],
    ['VT', 'MAIL FROM:<a\v@b.test>'],
    ['ESC', 'EHLO \x1b[31mred'],
    ['DEL', 'EHLO client\x7f.test'],
    ['a quoted CR', 'MAIL FROM:<"a\\\rb"@b.test>'],
    ['a byte that is not UTF-8', 'EHLO client\xff.test'],
    ['an overlong UTF-8 form of LF', 'MAIL FROM:<a\xc0\x8a@b.test> SMTPUTF8'],
    ['a lone surrogate', 'MAIL FROM:<a\xed\xa0\x80@b.test> SMTPUTF8'],
    ['U+2028', 'MAIL FROM:<a\xe2\x80\xa8b@b.test> SMTPUTF8'],
    ['U+0085', 'MAIL FROM:<a\xc2\x85b@b.test> SMTPUTF8'],
  ])('with %s are refused', (_, line) => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.codes(line)).toEqual(['500 5.5.2']);
    expect(peer.codes('RCPT TO:<one@us.test>')).toEqual(['503 5.5.1']);
  });

  it('with escaped line ends in xtext are text, or refused', () => {
    expect(peerAfter('EHLO client.test').codes('MAIL FROM:<a+0D+0AX@b.test> ENVID=+0D+0A')).toEqual([
      '555 5.5.4',
    ]);
  });
});

describe('replies', () => {
  it('carry an enhanced code of their own class, but for 354 and those to the greeting (RFC 2034)', () => {
    for (const reply of Object.values(replies)) {
      if (reply === replies.startData) continue;
      expect(reply).toMatch(/^([245])\d\d \1\.\d{1,3}\.\d{1,3} [\x20-\x7e]+\r\n$/);
    }
  });

  it('are at most 512 octets long (RFC 5321 §4.5.3.1.5)', () => {
    for (const reply of Object.values(replies)) expect(reply.length).toBeLessThanOrEqual(512);
  });
});

describe('the driver', () => {
  it('may close at any time; answers that come later are dropped', () => {
    const engine = new SmtpEngine<string>(engineSettings);
    engine.push(Buffer.from(`${hello}MAIL FROM:<a@b.test>\r\nRCPT TO:<one@us.test>\r\n`));
    expect(engine.step().kind).toBe('transaction');
    engine.answerTransaction(undefined);
    expect(engine.step().kind).toBe('recipient');
    engine.takeOutput();
    engine.close(replies.shuttingDown);
    engine.answerRecipient({ recipient: 'one' });
    engine.answerMessage(replies.ok);
    expect(engine.step()).toEqual({ kind: 'close' });
    expect(engine.takeOutput()).toBe(replies.shuttingDown);
  });

  it('must not answer what was not asked', () => {
    const engine = new SmtpEngine<string>(engineSettings);
    expect(() => engine.answerRecipient({ recipient: 'one' })).toThrow();
  });

  it('is told which message to let finish', () => {
    const peer = peerInData();
    expect(peer.engine.isTakingMessage).toBe(true);
    peer.codes('text', '.');
    expect(peer.engine.isTakingMessage).toBe(false);
  });
});
