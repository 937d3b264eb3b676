import { expect, it, onTestFinished } from 'vitest';

import type { Count } from '../../store/statistics-store.ts';
import { readStatistics } from '../operating/read-statistics.ts';
import { createStatistics, otherSenders } from './statistics.ts';

function open() {
  const written: Count[][] = [];
  const swept: object[] = [];
  const totals: Record<string, number> = { received: 5 };
  let now = Date.UTC(2026, 0, 1);
  const statistics = createStatistics({
    store: {
      addCounts: async (counts) => void written.push([...counts]),
      listCounts: async () => [],
      sweepCounts: async (before) => void swept.push(before),
    },
    readTotals: () => ({ ...totals }),
    onError: (error) => {
      throw error;
    },
    clock: () => now,
    everyMs: 3_600_000,
  });
  onTestFinished(() => statistics.close());
  const advance = (ms: number): void => {
    now += ms;
  };
  return { statistics, written, swept, totals, advance };
}

const from = (mailFrom: string | null) => ({ envelope: { mailFrom, rcptTo: [] } });

it('writes what totals have grown by, and the domains of senders', async () => {
  const { statistics, written, swept, totals } = open();
  totals['received'] = 8;
  totals['refused too_big'] = 1;
  for (const sender of ['a@Example.org', 'b@example.org', null]) statistics.noteSender(from(sender));
  await statistics.close();
  expect(written).toEqual([
    [
      { name: 'from example.org', count: 2 },
      { name: 'from ', count: 1 },
      { name: 'received', count: 3 },
      { name: 'refused too_big', count: 1 },
    ],
  ]);
  expect(swept).toHaveLength(1);
  await statistics.close();
  expect(written).toHaveLength(1);
});

it('keeps two hundred domains an hour apart, and the others together', async () => {
  const { statistics, written } = open();
  for (let at = 0; at < 1000; at += 1) statistics.noteSender(from(`a@d${at}.test`));
  statistics.noteSender(from('a@d0.test'));
  await statistics.close();
  const [counts = []] = written;
  expect(counts).toHaveLength(201);
  expect(counts.find(({ name }) => name === otherSenders)?.count).toBe(800);
  expect(counts[0]).toEqual({ name: 'from d0.test', count: 2 });
});

it('is read as a line over time, causes and senders', async () => {
  const counts = [
    { at: 1, name: 'bytes', count: 100 },
    { at: 1, name: 'from a.test', count: 2 },
    { at: 1, name: 'from *', count: 7 },
    { at: 1, name: 'received', count: 9 },
    { at: 1, name: 'refused too_big', count: 1 },
    { at: 2, name: 'deferred too_big', count: 2 },
    { at: 2, name: 'from a.test', count: 1 },
    { at: 2, name: 'sessions', count: 4 },
  ];
  const deps = { statistics: { listCounts: () => Promise.resolve(counts) }, now: () => 10 };
  expect(await readStatistics(deps, 'day', 9)).toEqual({
    points: [
      { at: 1, received: 9, bytes: 100, refused: 1, deferred: 0, sessions: 0 },
      { at: 2, received: 0, bytes: 0, refused: 0, deferred: 2, sessions: 4 },
    ],
    causes: [{ name: 'too_big', count: 3 }],
    senders: [
      { name: 'a.test', count: 3 },
      { name: '*', count: 7 },
    ],
  });
});
