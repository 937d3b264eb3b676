import { expect, it } from 'vitest';

import type { SessionKey } from '../../domain/session.ts';
import { createSessionCaps } from './session-caps.ts';

const finder = { countLive: () => Promise.resolve(0), findLive: () => Promise.resolve([]) };

it('costs the same however many sessions are known', () => {
  const caps = createSessionCaps({ finder, perAddress: 50, total: Infinity, clock: () => 1_000_000 });
  /** Returns the processor time taken, in microseconds. */
  function makeMany(from: number, count: number): number {
    const before = process.cpuUsage();
    for (let at = from; at < from + count; at++) {
      const key = new Uint8Array(16);
      new DataView(key.buffer).setUint32(0, at);
      const address = `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;
      caps.recordMade(address, { key: key as SessionKey, expiresAt: 5_000_000 });
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  }
  const first = makeMany(0, 20_000);
  makeMany(20_000, 100_000);
  const last = makeMany(120_000, 20_000);
  expect(last).toBeLessThan(10 * first + 100_000);
});
