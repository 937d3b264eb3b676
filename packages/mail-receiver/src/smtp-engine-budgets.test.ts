// How much nonsense and guessing the engine puts up with before it ends a dialogue.

import { describe, expect, it } from 'vitest';

import { EnginePeer } from '../../../test/support/smtp/engine-peer.ts';
import { replies } from './reply.ts';

const toMail = ['EHLO client.test', 'MAIL FROM:<a@b.test>'];

describe('bad commands', () => {
  it.each([
    ['unknown verbs', 'XYZZY', '500 5.5.2'],
    ['commands out of order', 'DATA', '503 5.5.1'],
    ['bad arguments', 'MAIL FROM:bad', '501 5.1.7'],
    ['bare line feeds', 'NOOP\nRSET', '500 5.5.2'],
    ['unimplemented ones', 'EXPN list', '502 5.5.1'],
    ['AUTH', 'AUTH PLAIN AGEAYg==', '502 5.5.1'],
    ['refused chunks', 'BDAT 0 LAST', '503 5.5.1'],
  ])('(%s) end the dialogue with 421 at the budget, and nothing more is answered', (_, line, code) => {
    const peer = new EnginePeer({ badCommandsMax: 4 });
    peer.codes('EHLO client.test');
    for (let count = 0; count < 3; count++) {
      expect(peer.codes(line)[0]).toBe(code);
      expect(peer.isClosed).toBe(false);
    }
    const last = [...peer.codes(line), ...peer.codes('NOOP')];
    expect(last.slice(0, 2)).toEqual([code, '421 4.7.0']);
    expect(last).toHaveLength(2);
    expect(peer.isClosed).toBe(true);
  });

  it('that came pipelined are answered up to the budget', () => {
    const peer = new EnginePeer({ badCommandsMax: 3 });
    peer.takeLines();
    expect(peer.codes(...Array<string>(1000).fill('XYZZY'))).toEqual([
      ...['500 5.5.2', '500 5.5.2', '500 5.5.2'],
      '421 4.7.0',
    ]);
  });

  it('are counted over the whole dialogue, with messages between them', () => {
    const peer = new EnginePeer({ badCommandsMax: 2 });
    peer.codes('XYZZY', ...toMail, 'RCPT TO:<one@us.test>', 'DATA');
    peer.codes('text', '.');
    expect(peer.codes('XYZZY')).toEqual(['500 5.5.2', '421 4.7.0']);
    expect(peer.taken).toHaveLength(1);
  });

  // A pipelining sender cannot know that its recipients were refused, nor that the disk is full.
  it('are not those that a well-behaved sender sends', () => {
    const peer = new EnginePeer({ badCommandsMax: 1 });
    peer.codes('EHLO client.test');
    for (let count = 0; count < 5; count++) {
      const group = ['MAIL FROM:<a@b.test>', 'RCPT TO:<full@us.test>', 'DATA', 'RSET'];
      expect(peer.codes(...group)).toEqual(['250 2.1.0', '452 4.2.2', '554 5.5.1', '250 2.0.0']);
    }
    peer.bodyRefusal = replies.storageFull;
    for (let count = 0; count < 5; count++) {
      const group = ['MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>', 'BDAT 2 LAST'];
      expect(peer.codes(...group, '').slice(2)).toEqual(['452 4.3.1']);
      expect(peer.codes(...group.slice(0, 2), 'DATA').slice(2)).toEqual(['452 4.3.1']);
    }
    expect(peer.isClosed).toBe(false);
  });
});

describe('unknown recipients', () => {
  it('end the dialogue with 421 at the budget, foreign ones among them', () => {
    const peer = new EnginePeer({ unknownRecipientsMax: 3 });
    peer.codes(...toMail);
    const rcpts = ['RCPT TO:<unknown@us.test>', 'RCPT TO:<a@foreign.test>', 'RCPT TO:<a%b@us.test>', 'NOOP'];
    expect(peer.codes(...rcpts)).toEqual(['550 5.1.1', '550 5.7.1', '550 5.7.1', '421 4.7.0']);
    expect(peer.isClosed).toBe(true);
  });

  it('are counted over all transactions', () => {
    const peer = new EnginePeer({ unknownRecipientsMax: 2 });
    peer.codes(...toMail, 'RCPT TO:<unknown@us.test>', 'RSET', 'EHLO client.test', 'MAIL FROM:<>');
    expect(peer.codes('RCPT TO:<unknown@us.test>')).toEqual(['550 5.1.1', '421 4.7.0']);
  });

  it('are not the full ones', () => {
    const peer = new EnginePeer({ unknownRecipientsMax: 1 });
    peer.codes(...toMail);
    expect(peer.codes('RCPT TO:<full@us.test>', 'RCPT TO:<one@us.test>')).toEqual(['452 4.2.2', '250 2.1.5']);
  });
});

describe('a transaction that may not begin', () => {
  it('gets its reply at MAIL, and the next may', () => {
    const peer = new EnginePeer();
    peer.transactionRefusal = replies.slowDown;
    expect(peer.codes(...toMail, 'RCPT TO:<one@us.test>').slice(-2)).toEqual(['450 4.7.1', '503 5.5.1']);
    peer.transactionRefusal = undefined;
    expect(peer.codes('MAIL FROM:<a@b.test>')).toEqual(['250 2.1.0']);
  });
});

describe('a size that was declared', () => {
  it('may be passed by a little, and not by much', () => {
    const send = (bytes: number): string[] => {
      const peer = new EnginePeer();
      peer.codes('EHLO client.test', 'MAIL FROM:<a@b.test> SIZE=1000', 'RCPT TO:<one@us.test>', 'DATA');
      return peer.codes('x'.repeat(bytes - 2), '.');
    };
    expect(send(1250 + 65_536)).toEqual(['250 2.0.0']);
    expect(send(1251 + 65_536)).toEqual(['552 5.3.4']);
  });
});
