// Contract: a message of 30 MB is stored and read without ever being whole in the heap. Part of mail-store.ts.

import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, it } from 'vitest';

import {
  createLive,
  deliverOne,
  deliveryOf,
  idOf,
  listIds,
  openForTest,
  type OpenStore,
  readAll,
  sweep,
} from './store-fixture.ts';

const chunkBytes = 256 * 1024;
const chunkCount = 120;
const sizeBytes = chunkCount * chunkBytes;
/** A third of the message: far more than a store needs, and far less than the message. */
const heapBoundBytes = sizeBytes / 3;

/** Returns the chunk of this number: no two are alike. */
function chunkOf(number: number): Buffer {
  return Buffer.alloc(chunkBytes, createHash('sha256').update(`chunk ${number}`).digest());
}

function createHeapMeter(): { sample(): void; growthBytes(): number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const live = (): number => {
    collect();
    // The second collection accounts for what the first freed in the background.
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const start = live();
  let peak = start;
  return { sample: () => (peak = Math.max(peak, live())), growthBytes: () => peak - start };
}

export function largeMessageContract(open: OpenStore): void {
  it('stores and reads 30 MB within a bounded heap', async () => {
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

  it('keeps nothing of a large message that fails midway', async () => {
    const store = await openForTest(open);
    const session = await createLive(store);
    const raw = {
      *[Symbol.iterator]() {
        for (let number = 0; number < 30; number++) yield chunkOf(number);
        throw new Error('the spill file went');
      },
    };
    const delivery = { key: session.key, sizeBytes, meta: Buffer.from('m'), raw };
    await expect(store.mail.deliver([delivery])).rejects.toThrow('the spill file went');
    expect(await listIds(store, session)).toEqual([]);
    await sweep(store);
    expect((await store.countRows()).content).toBe(0);
    expect(await deliverOne(store, session)).toBe(1);
  });

  it('keeps nothing of a large message whose session ends midway, and stores it for the other', async () => {
    const store = await openForTest(open);
    const [ended, other] = [await createLive(store), await createLive(store)];
    let ending: Promise<boolean> | undefined;
    const chunks = {
      *[Symbol.iterator]() {
        for (let number = 0; number < 30; number++) {
          if (number === 15) ending ??= store.mail.endSession(ended.key);
          yield chunkOf(number);
        }
      },
    };
    const size = 30 * chunkBytes;
    const outcomes = await store.mail.deliver(
      [ended, other].map(({ key }) => ({ key, sizeBytes: size, meta: Buffer.from('m'), raw: chunks })),
    );
    expect(outcomes[1]).toMatchObject({ outcome: 'stored', id: 1 });
    expect(await ending).toBe(true);
    await sweep(store);
    let number = 0;
    for await (const chunk of store.mail.readRaw(other.key, 1)) {
      expect(chunkOf(number).equals(chunk)).toBe(true);
      number += 1;
    }
    expect(number).toBe(30);
    await store.mail.deleteMessage(other.key, 1);
    await sweep(store);
    // The log keeps an entry of the deletion.
    expect((await store.countRows()).content).toBe(1);
    await store.mail.endSession(other.key);
    await sweep(store);
    expect((await store.countRows()).content).toBe(0);
  });

  it('checks for room before it writes: almost nothing is read of a message for a full session', async () => {
    const store = await openForTest(open, { quota: { messages: 9, bytes: chunkBytes } });
    const [narrow, small] = [await createLive(store), await createLive(store)];
    await deliverOne(store, narrow, [chunkOf(0)]);
    const read = [0, 0];
    const deliveries = [10, 10].map((count, at) => ({
      key: [narrow, small][at]!.key,
      sizeBytes: count * chunkBytes,
      meta: Buffer.from('m'),
      raw: {
        *[Symbol.iterator]() {
          for (let number = 0; number < count; number++) {
            read[at]! += 1;
            yield chunkOf(number);
          }
        },
      },
    }));
    const outcomes = await store.mail.deliver(deliveries);
    expect(outcomes).toEqual([{ outcome: 'full' }, { outcome: 'withheld' }]);
    expect(read[0]).toBeLessThan(8);
    expect(read[1]).toBe(0);
    expect(await store.mail.deliver(deliveries.toReversed())).toEqual([
      { outcome: 'withheld' },
      { outcome: 'full' },
    ]);
    expect(await store.mail.deliver(deliveries.slice(1))).toMatchObject([{ outcome: 'stored', id: 1 }]);
    expect(await readAll(store, small, 1)).toHaveLength(10 * chunkBytes);
    expect(await store.mail.deliver(deliveries.slice(0, 1))).toEqual([{ outcome: 'full' }]);
    await sweep(store);
    expect((await store.countRows()).content).toBeLessThan(15);
    await store.mail.deleteMessage(narrow.key, 1);
    expect(await store.mail.deliver(deliveries.slice(0, 1))).toMatchObject([{ outcome: 'stored' }]);
    expect(await readAll(store, narrow, 3)).toHaveLength(10 * chunkBytes);
  });

  it('stores a large message of one origin once, also for a full session', async () => {
    const store = await openForTest(open, { quota: { messages: 1, bytes: Infinity } });
    const session = await createLive(store);
    const chunks = Array.from({ length: 10 }, (_, number) => chunkOf(number));
    const delivery = { ...deliveryOf(session, chunks), origin: Buffer.alloc(16, 1) };
    expect(await store.mail.deliver([delivery])).toMatchObject([{ outcome: 'stored' }]);
    expect(await store.mail.deliver([delivery])).toEqual([{ outcome: 'duplicate' }]);
    expect(await store.mail.deliver([{ ...delivery, origin: Buffer.alloc(16, 2) }])).toEqual([
      { outcome: 'full' },
    ]);
  });

  it('erases large messages with their session, and gives their ids to no other', async () => {
    const store = await openForTest(open);
    const [one, other] = [await createLive(store), await createLive(store)];
    const chunks = Array.from({ length: 10 }, (_, number) => chunkOf(number));
    for (const session of [one, other, one]) await deliverOne(store, session, chunks);
    await store.mail.deleteMessage(one.key, 1);
    await deliverOne(store, one, chunks);
    await store.mail.endSession(one.key);
    await sweep(store);
    await deliverOne(store, other, chunks);
    for (const id of [1, 2]) {
      expect((await readAll(store, other, id)).equals(Buffer.concat(chunks))).toBe(true);
    }
  });

  it('stores and erases while a large message is being read', async () => {
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
