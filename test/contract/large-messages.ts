// Contract: a message of 30 MB passes in and out without ever being in the heap as a whole. Part of mail-store.ts.

import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, it } from 'vitest';

import { createLive, deliverOne, idOf, openForTest, type OpenStore, sweep } from './store-fixture.ts';

const chunkBytes = 256 * 1024;
const chunkCount = 120;
const sizeBytes = chunkCount * chunkBytes;
/** A third of the message: far more than a store needs, and far less than the message as a whole. */
const heapBoundBytes = sizeBytes / 3;

/** The chunk of this number: no two alike. */
function chunkOf(number: number): Buffer {
  return Buffer.alloc(chunkBytes, createHash('sha256').update(`chunk ${number}`).digest());
}

function createHeapMeter(): { sample(): void; growthBytes(): number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const live = (): number => {
    collect();
    // What the first frees in the background is taken off the books by the second.
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const start = live();
  let peak = start;
  return { sample: () => (peak = Math.max(peak, live())), growthBytes: () => peak - start };
}

export function largeMessageContract(open: OpenStore): void {
  it('takes and gives 30 MB within a bounded heap', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const meter = createHeapMeter();
    const raw = {
      *[Symbol.iterator]() {
        for (let number = 0; number < chunkCount; number++) {
          if (number % 10 === 0) meter.sample();
          yield chunkOf(number);
        }
      },
    };
    const id = idOf(await store.mail.deliver([{ key: session.key, sizeBytes, meta: Buffer.from('m'), raw }]));
    meter.sample();
    let number = 0;
    for await (const chunk of store.mail.readRaw(session.key, id)) {
      if (number % 10 === 0) meter.sample();
      if (!chunkOf(number).equals(chunk)) throw new Error(`Chunk ${number} came back changed.`);
      number += 1;
    }
    expect(number).toBe(chunkCount);
    expect(meter.growthBytes()).toBeLessThan(heapBoundBytes);
  });

  it('stores and erases beside others while a large message is read', async () => {
    const store = await openForTest(open);
    const [session, other, ended] = [
      await createLive(store),
      await createLive(store),
      await createLive(store),
    ];
    const chunks = Array.from({ length: 10 }, (_, number) => chunkOf(number));
    const id = await deliverOne(store, session, chunks);
    await deliverOne(store, ended, chunks);
    let number = 0;
    for await (const chunk of store.mail.readRaw(session.key, id)) {
      await deliverOne(store, other);
      if (number === 4) {
        await store.mail.endSession(ended.key);
        await sweep(store);
      }
      expect(chunkOf(number).equals(chunk)).toBe(true);
      number += 1;
    }
    expect(number).toBe(10);
  });
}
