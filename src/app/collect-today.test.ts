import { expect, it } from 'vitest';

import { createMetrics, renderMetrics } from '../observe/metrics.ts';
import { collectToday } from './collect-today.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 0, 2, 10);

async function linesOf(counts: Readonly<Record<string, number>>, isReady = true): Promise<string[]> {
  const metrics = createMetrics();
  const kept = Object.entries(counts).map(([name, count]) => ({ at: now - (now % dayMs), name, count }));
  const asked: unknown[] = [];
  collectToday(metrics, {
    isReady: () => isReady,
    now: () => now,
    statistics: {
      listCounts: (span, since) => {
        asked.push([span, since]);
        return Promise.resolve(kept);
      },
    },
  });
  await renderMetrics(metrics);
  const text = await renderMetrics(metrics);
  expect(asked).toEqual(isReady ? [['day', Date.UTC(2026, 0, 2)]] : []);
  return text.split('\n').filter((line) => line.startsWith('mayfly_today_'));
}

it('tells the kept counts of the day, reading them once for several scrapes', async () => {
  const lines = await linesOf({
    received: 7,
    bytes: 900,
    sessions: 2,
    'refused too_big': 3,
    'deferred slow_down': 1,
    'from example.org': 5,
    'from ': 2,
    'from *': 4,
  });
  expect(lines.sort()).toEqual(
    [
      'mayfly_today_received 7',
      'mayfly_today_received_bytes 900',
      'mayfly_today_refused 3',
      'mayfly_today_deferred 1',
      'mayfly_today_sessions 2',
      'mayfly_today_causes{cause="too_big"} 3',
      'mayfly_today_causes{cause="slow_down"} 1',
      'mayfly_today_senders{domain="example.org"} 5',
      'mayfly_today_senders{domain=""} 2',
      'mayfly_today_senders{domain="*"} 4',
    ].sort(),
  );
});

it('adds up domains that are alike as far as a label is written', async () => {
  const long = `${'a'.repeat(60)}.`.repeat(4);
  const lines = await linesOf({ [`from ${long}one.example`]: 5, [`from ${long}two.example`]: 2 });
  expect(lines.filter((line) => line.includes('senders'))).toEqual([
    `mayfly_today_senders{domain="${long.slice(0, 200)}"} 7`,
  ]);
});

it('asks nothing of a store that is not ready', async () => {
  expect((await linesOf({ received: 7 }, false)).every((line) => line.endsWith(' 0'))).toBe(true);
});
