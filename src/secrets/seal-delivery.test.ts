import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { createDataKey, openSealed, sealOverheadBytes } from './seal.mjs';
import { sealDelivery } from './seal-delivery.mjs';

const chunkBytes = 256 * 1024;

function deliveryOf(rawBytes: number, metaBytes = 300): Parameters<typeof sealDelivery>[0] {
  return { dataKey: createDataKey(), meta: randomBytes(metaBytes), raw: randomBytes(rawBytes) };
}

describe('sealDelivery', () => {
  it.each([
    [0, chunkBytes, 1],
    [1, chunkBytes, 1],
    [4096, chunkBytes, 1],
    [16 * 1024, chunkBytes, 1],
    [16 * 1024 + 1, chunkBytes, 1],
    [chunkBytes + 1, chunkBytes, 2],
    [4096, 1000, 5],
  ])('gives %i bytes, in chunks of at most %i, back as they were', (rawBytes, chunkBytes, count) => {
    const delivery = deliveryOf(rawBytes, rawBytes + 10);
    const { meta, chunks } = sealDelivery(delivery, chunkBytes);
    expect(openSealed(delivery.dataKey, 'meta', meta)).toEqual(delivery.meta);
    expect(chunks).toHaveLength(count);
    const opened = chunks.map((chunk) => openSealed(delivery.dataKey, 'raw', chunk));
    expect(Buffer.concat(opened).equals(delivery.raw)).toBe(true);
    expect(chunks[0]).toHaveLength(Math.min(rawBytes, chunkBytes) + sealOverheadBytes);
  });

  it('leaves nothing of a longer message behind a shorter one', () => {
    sealDelivery(deliveryOf(4096), chunkBytes);
    const short = deliveryOf(10, 20);
    const { meta, chunks } = sealDelivery(short, chunkBytes);
    expect([meta.length, chunks[0]?.length]).toEqual([20 + sealOverheadBytes, 10 + sealOverheadBytes]);
    expect(openSealed(short.dataKey, 'meta', meta)).toEqual(short.meta);
  });
});
