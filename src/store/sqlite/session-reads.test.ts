import { expect, it } from 'vitest';

import { SessionReads } from './session-reads.ts';

function noteGroups(reads: SessionReads, count: number, [deliveries, readsEach]: [number, number]): void {
  for (let group = 0; group < count; group++) {
    for (let read = 0; read < readsEach; read++) reads.noteRead();
    reads.noteGroup(deliveries);
  }
}

it('are dear while most deliveries cause one, and no longer once they do not', () => {
  const reads = new SessionReads();
  expect(reads.areDear).toBe(false);
  noteGroups(reads, 20, [30, 25]);
  expect(reads.areDear).toBe(true);
  noteGroups(reads, 20, [30, 1]);
  expect(reads.areDear).toBe(false);
});

it('are not made dear by a few that come together', () => {
  const reads = new SessionReads();
  noteGroups(reads, 50, [30, 2]);
  noteGroups(reads, 1, [30, 30]);
  expect(reads.areDear).toBe(false);
});

it('are not made dear for long by readers who came while there was no mail', () => {
  const reads = new SessionReads();
  for (let read = 0; read < 100_000; read++) reads.noteRead();
  noteGroups(reads, 2, [30, 0]);
  expect(reads.areDear).toBe(false);
});
