import { tmpdir } from 'node:os';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const disk = vi.hoisted(() => ({ bavail: 1000, bsize: 4096, ffree: 5000, files: 10_000, isBroken: false }));

// A disk cannot be filled in a unit test, nor the loop held up for seconds.
vi.mock('node:fs/promises', () => ({
  statfs: () => (disk.isBroken ? Promise.reject(new Error('EIO')) : Promise.resolve({ ...disk })),
}));

const { createVitals } = await import('./vitals.ts');

type CreatedVitals = Awaited<ReturnType<typeof createVitals>>;

let events: string[];
let vitals: CreatedVitals | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  Object.assign(disk, { bavail: 1000, bsize: 4096, ffree: 5000, files: 10_000, isBroken: false });
  events = [];
});
afterEach(() => {
  vitals?.close();
  vi.useRealTimers();
});

async function create(diskFloorBytes = 1_000_000, measureLoad?: () => number): Promise<CreatedVitals> {
  const note = (event: string): void => void events.push(event);
  const log = { debug: note, info: note, warn: note, error: note };
  const load = measureLoad && { measureLoad };
  vitals = await createVitals({ onLag: () => undefined, dataDir: tmpdir(), diskFloorBytes, log, ...load });
  return vitals;
}

describe('the disk', () => {
  it('is known from the start', async () => {
    disk.bavail = 1;
    expect((await create()).isDiskLow()).toBe(true);
  });

  it('is low below its floor and not at it, and recovers by itself', async () => {
    const { isDiskLow } = await create(4096 * 1000);
    expect(isDiskLow()).toBe(false);
    disk.bavail = 999;
    await vi.advanceTimersByTimeAsync(2000);
    expect(isDiskLow()).toBe(true);
    disk.bavail = 1000;
    await vi.advanceTimersByTimeAsync(2000);
    expect(isDiskLow()).toBe(false);
    expect(events).toEqual(['disk.low', 'disk.recovered']);
  });

  it('is low without inodes, on file systems that count them', async () => {
    disk.ffree = 50;
    expect((await create()).isDiskLow()).toBe(true);
    vitals?.close();
    disk.files = 0;
    expect((await create()).isDiskLow()).toBe(false);
  });

  it('is never low without a floor', async () => {
    Object.assign(disk, { bavail: 0, ffree: 0 });
    expect((await create(0)).isDiskLow()).toBe(false);
  });

  it('that cannot be looked at is logged and stays as it was', async () => {
    const { isDiskLow } = await create();
    disk.isBroken = true;
    await vi.advanceTimersByTimeAsync(2000);
    expect([isDiskLow(), events]).toEqual([false, ['disk.unknown']]);
  });
});

describe('the event loop', () => {
  /** Lets the clock run on so much before the timer is served. */
  function serveLate(lateMs: number, times: number): void {
    for (let count = 0; count < times; count++) {
      vi.setSystemTime(Date.now());
      advanceClock(lateMs);
      vi.advanceTimersByTime(50);
    }
  }

  function advanceClock(ms: number): void {
    const { now } = performance;
    const before = now.call(performance);
    vi.spyOn(performance, 'now').mockReturnValue(before + ms + 50);
  }

  it('is not overloaded when it is on time', async () => {
    const { isOverloaded } = await create();
    vi.advanceTimersByTime(10_000);
    expect(isOverloaded()).toBe(false);
  });

  it('is not overloaded after one stall, however long, and is after another', async () => {
    const { isOverloaded } = await create();
    serveLate(10_000, 1);
    expect(isOverloaded()).toBe(false);
    serveLate(1000, 1);
    expect(isOverloaded()).toBe(true);
  });

  it('is overloaded when it is late by 300 ms again and again, and not for ever', async () => {
    const { isOverloaded } = await create();
    serveLate(300, 20);
    expect(isOverloaded()).toBe(true);
    serveLate(0, 20);
    expect(isOverloaded()).toBe(false);
  });

  it('that is late because other programs have the processors is not overloaded', async () => {
    const state = { load: 0.1 };
    const { isOverloaded } = await create(0, () => state.load);
    serveLate(1000, 50);
    expect(isOverloaded()).toBe(false);
    state.load = 0.9;
    serveLate(1000, 5);
    expect(isOverloaded()).toBe(true);
  });

  it('that is late by 150 ms again and again is not overloaded', async () => {
    const { isOverloaded } = await create();
    serveLate(150, 100);
    expect(isOverloaded()).toBe(false);
  });
});
