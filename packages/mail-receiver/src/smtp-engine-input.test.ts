// Bytes that are not a proper dialogue: smuggled ends of data, early data, bad lines.

import { describe, expect, it } from 'vitest';

import { type EnginePeer, peerAfter, peerInData } from '../../../test/support/smtp/engine-peer.ts';

const toData = 'MAIL FROM:<a@b.test>\r\nRCPT TO:<one@us.test>\r\nDATA\r\n';

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

describe('command lines', () => {
  it('are read up to 2,048 octets', () => {
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

describe('HTTP on the port of SMTP (Postfix forbids CONNECT, GET and POST)', () => {
  const headers = 'Host: mx.test:25\r\nContent-Length: 90\r\n\r\n';
  const smuggled = 'EHLO web.test\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<one@us.test>\r\nDATA\r\n';

  it.each([
    'GET / HTTP/1.1',
    'POST / HTTP/1.1',
    'post / HTTP/1.0',
    'HEAD /',
    'PUT /x HTTP/1.1',
    'DELETE / HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'CONNECT us.test:25 HTTP/1.1',
    'TRACE / HTTP/1.1',
    'PATCH / HTTP/1.1',
    'PRI * HTTP/2.0',
    'MKCOL / HTTP/1.1',
    'GET',
  ])('%s ends the connection at once, whatever comes behind it', (line) => {
    for (const before of [[], ['EHLO client.test'], ['EHLO client.test', 'MAIL FROM:<a@b.test>']]) {
      const peer = peerAfter(...before);
      expect(peer.say(`${line}\r\n${headers}${smuggled}`)).toEqual(['500 5.5.2 This is SMTP, not HTTP']);
      expect(peer.isClosed).toBe(true);
    }
  });

  it('is nothing that only has such words in it', () => {
    const peer = peerAfter('EHLO client.test');
    expect(peer.codes('NOOP GET / HTTP/1.1', 'XGET / HTTP', 'GETX')).toEqual([
      '250 2.0.0',
      '500 5.5.2',
      '500 5.5.2',
    ]);
    expect(peer.isClosed).toBe(false);
  });
});
