import { describe, expect, it } from 'vitest';

import { createRandom } from '../../../test/support/random.ts';
import { headBytes } from '../../../src/domain/limits.ts';
import { MessageBuffer } from './message-buffer.ts';

function gather(pieces: readonly Buffer[]): MessageBuffer {
  const buffer = new MessageBuffer();
  for (const piece of pieces) buffer.append(piece);
  return buffer;
}

function whole(buffer: MessageBuffer): Buffer {
  return Buffer.concat([...buffer.pieces()]);
}

/** Bytes of memory that the pieces keep alive. */
function heldBytes(buffer: MessageBuffer): number {
  const memories = new Set([...buffer.pieces()].map((piece) => piece.buffer));
  return [...memories].reduce((sum, memory) => sum + memory.byteLength, 0);
}

describe('MessageBuffer', () => {
  it('is empty at first', () => {
    const buffer = gather([Buffer.alloc(0)]);
    expect(buffer.sizeBytes).toBe(0);
    expect(buffer.head()).toHaveLength(0);
    expect([...buffer.pieces()]).toHaveLength(0);
  });

  it('gives back the bytes of pieces of every size in order (seed 7)', () => {
    const random = createRandom(7);
    const sizes = [1, 2, 100, 2047, 2048, 2049, 16_384, 20_000];
    for (let round = 0; round < 100; round++) {
      const pieces = Array.from({ length: random.below(20) }, () => random.bytes(random.pick(sizes)));
      const sent = Buffer.concat(pieces);
      const buffer = gather(pieces);
      expect(buffer.sizeBytes).toBe(sent.length);
      expect(buffer.head().equals(sent.subarray(0, headBytes))).toBe(true);
      expect(whole(buffer).equals(sent)).toBe(true);
      expect(whole(buffer).equals(sent)).toBe(true);
    }
  });

  it('has a head of 64 KiB at most, whether it lies in one piece or in many', () => {
    const bytes = createRandom(1).bytes(200_000);
    const inOne = gather([bytes]);
    const inMany = gather(Array.from({ length: 50 }, (_, at) => bytes.subarray(at * 4000, (at + 1) * 4000)));
    expect(inOne.head().equals(bytes.subarray(0, headBytes))).toBe(true);
    expect(inMany.head().equals(bytes.subarray(0, headBytes))).toBe(true);
  });

  it('joins single bytes, so that they cost no object each', () => {
    const buffer = gather(Array.from({ length: 100_000 }, (_, at) => Buffer.of(at % 256)));
    const pieces = [...buffer.pieces()];
    expect(pieces.length).toBeLessThan(10);
    expect(whole(buffer)[99_999]).toBe(99_999 % 256);
    expect(heldBytes(buffer)).toBeLessThan(130_000);
  });

  it('does not copy large pieces', () => {
    const piece = Buffer.alloc(4096, 'x');
    expect([...gather([piece]).pieces()][0]).toBe(piece);
  });

  it('holds little more than came when tiny and large pieces alternate', () => {
    const pieces = Array.from({ length: 1000 }, (_, at) => Buffer.alloc(at % 2 === 0 ? 1 : 2048, 'x'));
    const buffer = gather(pieces);
    expect(heldBytes(buffer)).toBeLessThan(2 * buffer.sizeBytes);
  });

  it('holds nothing after its release, which may be repeated', () => {
    const buffer = gather([Buffer.alloc(5000), Buffer.alloc(10)]);
    buffer.release();
    buffer.release();
    expect([...buffer.pieces()]).toHaveLength(0);
  });
});
