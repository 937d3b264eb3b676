// How much the engine takes: recipients, bytes, and the two together.

import { describe, expect, it } from 'vitest';

import { EnginePeer, peerAfter, peerInData } from '../../../test/support/smtp/engine-peer.ts';
import { replies } from './reply.ts';

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

describe('patience', () => {
  it('ends at the last of badCommandsMax wrong commands with 421 4.7.0', () => {
    const peer = new EnginePeer({ badCommandsMax: 3 });
    peer.takeLines();
    expect(peer.codes('XYZZY', 'NOOP', 'MAIL FROM:<a@b.test>', 'EHLO', 'NOOP')).toEqual([
      '500 5.5.2',
      '250 2.0.0',
      '503 5.5.1',
      '501 5.5.4',
      '421 4.7.0',
    ]);
    expect(peer.isClosed).toBe(true);
  });

  it('ends at the last of unknownRecipientsMax recipients that are unknown or foreign', () => {
    const peer = new EnginePeer({ unknownRecipientsMax: 3 });
    peer.codes('EHLO client.test', 'MAIL FROM:<a@b.test>');
    const paths = ['unknown@us.test', 'one@us.test', 'b@foreign.test', 'full@us.test', 'b%c@us.test'];
    expect(peer.codes(...paths.map((path) => `RCPT TO:<${path}>`), 'DATA')).toEqual([
      '550 5.1.1',
      '250 2.1.5',
      '550 5.7.1',
      '452 4.2.2',
      '550 5.7.1',
      '421 4.7.0',
    ]);
    expect(peer.isClosed).toBe(true);
  });

  it('is not used up by recipients or sizes past a limit, which are no mistakes', () => {
    const peer = new EnginePeer({ badCommandsMax: 3, recipientsMax: 1, messageMaxBytes: 1000 });
    peer.codes('EHLO client.test');
    expect(peer.codes(...Array.from({ length: 9 }, () => 'MAIL FROM:<a@b.test> SIZE=1001'))).toHaveLength(9);
    peer.codes('MAIL FROM:<a@b.test>');
    expect(peer.codes(...Array.from({ length: 9 }, () => 'RCPT TO:<one@us.test>'))).toHaveLength(9);
    expect(peer.isClosed).toBe(false);
  });
});

describe('refusals by the service', () => {
  it('at MAIL opens no transaction', () => {
    const peer = peerAfter('EHLO client.test');
    peer.transactionRefusal = replies.slowDown;
    expect(peer.codes('MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>')).toEqual(['450 4.7.1', '503 5.5.1']);
    expect(peer.engine.isInTransaction).toBe(false);
  });

  it('at DATA ends the transaction, and no byte of a message is taken', () => {
    const peer = peerAfter('EHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<one@us.test>');
    peer.bodyRefusal = replies.storageFull;
    expect(peer.codes('DATA')).toEqual(['452 4.3.1']);
    expect(peer.codes('DATA', 'MAIL FROM:<a@b.test>')).toEqual(['503 5.5.1', '250 2.1.0']);
  });
});
