import { describe, expect, it } from 'vitest';

import { DataDecoder } from './data-decoder.ts';

describe('25 MB of the shortest lines', () => {
  const pieceBytes = 64 * 1024;

  function decodeRepeated(line: string, bytes: number): { ms: number; keptBytes: number } {
    const repeated = Buffer.from(line.repeat(Math.ceil(pieceBytes / line.length) + 1));
    const decoder = new DataDecoder();
    let keptBytes = 0;
    const from = process.cpuUsage();
    for (let sent = 0; sent < bytes; sent += pieceBytes) {
      const piece = Buffer.from(repeated.subarray(sent % line.length, (sent % line.length) + pieceBytes));
      keptBytes += decoder.push(piece, 0).kept.length;
    }
    const { user, system } = process.cpuUsage(from);
    expect(decoder.hasBareLineEnd).toBe(false);
    return { ms: (user + system) / 1000, keptBytes };
  }

  it.each([
    ['..\\r\\n', '..\r\n', 3 / 4],
    ['x\\r\\n', 'x\r\n', 1],
    ['\\r\\n', '\r\n', 1],
  ])('cost linear time as %s, and keep no more than came', (_, line, share) => {
    const mebibyte = 1024 * 1024;
    decodeRepeated(line, 4 * mebibyte);
    const small = decodeRepeated(line, 5 * mebibyte);
    const large = decodeRepeated(line, 25 * mebibyte);
    expect(large.keptBytes).toBeCloseTo(25 * mebibyte * share, -1);
    // Five times the bytes: five times the time, and room for a noisy machine.
    expect(large.ms).toBeLessThan(small.ms * 15 + 100);
  });
});
