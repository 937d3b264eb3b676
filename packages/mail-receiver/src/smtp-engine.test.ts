import { describe, expect, it } from 'vitest';

import { EnginePeer, engineSettings, peerAfter, peerInData } from '../../../test/support/smtp/engine-peer.ts';
import { playTranscript } from '../../../test/support/smtp/play-transcript.ts';
import { replies } from './reply.ts';
import { SmtpEngine } from './smtp-engine.ts';

const hello = 'EHLO client.test\r\n';
const toData = 'MAIL FROM:<a@b.test>\r\nRCPT TO:<one@us.test>\r\nDATA\r\n';

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

  it('is given its turn back by an engine that has much to do', () => {
    const engine = new SmtpEngine<string>(engineSettings);
    engine.takeOutput();
    engine.push(Buffer.from('NOOP\r\n'.repeat(1000)));
    let answered = 0;
    for (let step = engine.step(); step.kind === 'turn'; step = engine.step()) {
      const replies = engine.takeOutput().split('\r\n').length - 1;
      expect(replies).toBeLessThanOrEqual(20);
      answered += replies;
    }
    expect(answered).toBe(1000);
  });

  it('must not answer what was not asked', () => {
    const engine = new SmtpEngine<string>(engineSettings);
    expect(() => engine.answerRecipient({ recipient: 'one' })).toThrow();
  });

  it('learns which message to let finish', () => {
    const peer = peerInData();
    expect(peer.engine.isReceivingMessage).toBe(true);
    peer.codes('text', '.');
    expect(peer.engine.isReceivingMessage).toBe(false);
  });
});
