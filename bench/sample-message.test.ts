import { describe, expect, it } from 'vitest';

import { mixedSizes, multipartMessage, sampleMessage } from './sample-message.ts';

function bodyOf(message: Buffer): string {
  const text = message.toString('latin1');
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}

describe('sampleMessage', () => {
  it('has a body of exactly the size asked for, in whole lines', () => {
    for (let size = 2; size < 400; size += 1) {
      const body = bodyOf(sampleMessage(size));
      expect(body).toHaveLength(size);
      expect(body.endsWith('\r\n')).toBe(true);
      expect(body).not.toMatch(/\r(?!\n)|(?<!\r)\n|^\./m);
    }
  });
});

describe('mixedSizes', () => {
  it('is the same every time, between 2 KB and 200 KB, around 16 KB', () => {
    const sizes = mixedSizes(2000);
    expect(mixedSizes(2000)).toEqual(sizes);
    expect(Math.min(...sizes)).toBe(2048);
    expect(Math.max(...sizes)).toBe(204_800);
    const median = sizes.toSorted((a, b) => a - b)[1000] ?? 0;
    expect(median).toBeGreaterThan(14_000);
    expect(median).toBeLessThan(19_000);
  });
});

describe('multipartMessage', () => {
  it('is about 4 KB', () => {
    expect(Math.abs(multipartMessage().length - 4096)).toBeLessThan(400);
  });
});
