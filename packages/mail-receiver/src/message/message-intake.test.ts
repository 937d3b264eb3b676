import { describe, expect, it } from 'vitest';

import { MessageBuffer } from '../message-buffer.ts';
import { replies } from '../reply.ts';
import { MessageIntake } from '../engine/smtp-transaction.ts';

function textOf(message: MessageIntake): string {
  return Buffer.concat([...message.body.pieces()]).toString();
}

function takeData(text: string, bytesMax = 100, body = new MessageBuffer()) {
  const message = new MessageIntake(body, bytesMax);
  return { message, endAt: message.readData(Buffer.from(text), 0) };
}

describe('a message by DATA', () => {
  it('ends at its dot and is unstuffed', () => {
    const { message, endAt } = takeData('..a\r\n.\r\nQUIT');
    expect([endAt, textOf(message), message.findRefusal()]).toEqual([8, '.a\r\n', undefined]);
  });

  it('is refused for a bare line end', () => {
    expect(takeData('a\nb\r\n.\r\n').message.findRefusal()).toBe(replies.bareCarriageReturnOrLineFeed);
  });

  it('is taken at the limit, and refused and released one byte above it', () => {
    expect(takeData(`${'x'.repeat(8)}\r\n.\r\n`, 10).message.findRefusal()).toBeUndefined();
    const { message } = takeData(`${'x'.repeat(9)}\r\n.\r\n`, 10);
    expect([message.findRefusal(), textOf(message)]).toEqual([replies.tooBig, '']);
  });

  it('that was too big stays so, though what comes next would fit', () => {
    const message = new MessageIntake(new MessageBuffer(), 10);
    message.readData(Buffer.from('x'.repeat(11)), 0);
    message.readData(Buffer.from('x'), 0);
    expect([message.findLoss(), message.body.sizeBytes, textOf(message)]).toEqual([replies.tooBig, 0, '']);
  });

  it('that the disk did not take is refused with 452', () => {
    const open = (): never => {
      throw new Error('ENOSPC');
    };
    const { message } = takeData(
      `${'x'.repeat(50)}\r\n.\r\n`,
      100,
      new MessageBuffer({ afterBytes: 10, open }),
    );
    expect(message.findRefusal()).toBe(replies.storageFull);
  });
});

describe('a message by BDAT', () => {
  function takeChunks(...chunks: readonly string[]): MessageIntake {
    const message = new MessageIntake(new MessageBuffer(), 100);
    for (const [at, chunk] of chunks.entries()) {
      message.beginChunk(chunk.length, at === chunks.length - 1);
      if (chunk.length > 0) expect(message.readChunk(Buffer.from(`${chunk}NOOP`), 0)).toBe(chunk.length);
    }
    return message;
  }

  it('is its chunks as they are', () => {
    const message = takeChunks('..a\r\n', '', '.\r\n');
    expect([textOf(message), message.isLastChunk, message.findRefusal()]).toEqual([
      '..a\r\n.\r\n',
      true,
      undefined,
    ]);
  });

  it('has its line ends looked at across chunks', () => {
    expect(takeChunks('a\r', '\nb\r\n').findRefusal()).toBeUndefined();
    expect(takeChunks('a\r', 'b\r\n').findRefusal()).toBe(replies.bareCarriageReturnOrLineFeed);
  });

  it('knows how much of a chunk is to come', () => {
    const message = new MessageIntake(new MessageBuffer(), 100);
    message.beginChunk(5, false);
    expect([message.readChunk(Buffer.from('xxab'), 2), message.isChunkComplete]).toEqual([-1, false]);
    expect([message.readChunk(Buffer.from('cdefg'), 0), message.isChunkComplete]).toEqual([3, true]);
    expect([message.chunkBytes, textOf(message)]).toEqual([5, 'abcde']);
  });
});
