import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createMetrics } from './metrics.ts';
import { createTrafficHistory, type TrafficHistory } from './traffic-history.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

function open(countLive: () => Promise<number> = () => Promise.resolve(7)) {
  const metrics = createMetrics();
  const errors: unknown[] = [];
  const history = createTrafficHistory({ metrics, countLive, onError: (error) => errors.push(error) });
  return { metrics, history, errors };
}

async function stored(history: TrafficHistory, minutes: number, points: number): Promise<number[]> {
  return (await history.read(minutes, points)).map(({ counts }) => counts.messages_stored);
}

it('tells at once what was counted since the start, whatever the labels', async () => {
  const { metrics, history } = open();
  metrics.messages.of('smtp', 'stored', '').value += 3;
  metrics.messages.of('imap', 'stored', '').value += 1;
  metrics.messages.of('smtp', 'refused', 'too_big').value += 2;
  metrics.messages.of('smtp', 'deferred', 'busy').value += 1;
  metrics.httpRequests.of('check-mail', '200').value += 9;
  vi.setSystemTime(15_000);
  expect(await history.read(60, 60)).toEqual([
    {
      at: 15_000,
      seconds: 15,
      liveSessions: 7,
      counts: {
        messages_stored: 4,
        messages_refused: 3,
        sessions_created: 0,
        smtp_connections: 0,
        http_requests: 9,
        webhooks_sent: 0,
      },
    },
  ]);
  history.close();
});

it('has a point a minute, and longer ones where fewer are wanted', async () => {
  const { metrics, history } = open();
  for (let minute = 0; minute < 60; minute++) {
    metrics.messages.of('smtp', 'stored', '').value += minute;
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect((await stored(history, 10, 10)).slice(-3)).toEqual([57, 58, 59]);
  const six = await stored(history, 60, 6);
  expect(six).toHaveLength(6);
  expect(six.reduce((sum, count) => sum + count, 0)).toBe((59 * 60) / 2);
  history.close();
});

it('forgets what is older than a day', async () => {
  const { history } = open();
  await vi.advanceTimersByTimeAsync(26 * 60 * 60_000);
  const points = await history.read(24 * 60, 24 * 60);
  expect(points.length).toBeLessThanOrEqual(24 * 60 + 1);
  expect(points.length).toBeGreaterThan(24 * 60 - 3);
  history.close();
});

it('goes on without the number of sessions while the store does not answer', async () => {
  const { history, errors } = open(() => Promise.reject(new Error('down')));
  await vi.advanceTimersByTimeAsync(60_000);
  const [point] = await history.read(5, 5);
  expect(point?.liveSessions).toBe(null);
  expect(errors.length).toBeGreaterThan(0);
  history.close();
});
