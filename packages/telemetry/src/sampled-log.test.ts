import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Logger } from './logger.ts';
import { createSampledLog } from './sampled-log.ts';

let lines: [string, object | undefined][];
let log: Logger;

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  const note = (event: string, fields?: object): void => void lines.push([event, fields]);
  log = { debug: note, info: note, warn: note, error: note };
});
afterEach(() => {
  vi.useRealTimers();
});

it('writes ten lines of a flood and then how many more there were', () => {
  const sampled = createSampledLog(log);
  for (let number = 0; number < 1000; number++) sampled.info('smtp.refused', { number });
  expect(lines.map(([, fields]) => fields)).toEqual(Array.from({ length: 10 }, (_, number) => ({ number })));
  vi.advanceTimersByTime(10_000);
  expect(lines.slice(10)).toEqual([['smtp.refused.more', { count: 990, seconds: 10 }]]);
  sampled.info('smtp.refused', { number: 'later' });
  expect(lines.slice(11)).toEqual([['smtp.refused', { number: 'later' }]]);
});

it('keeps events apart, and says nothing more of a few', () => {
  const sampled = createSampledLog(log);
  for (let number = 0; number < 20; number++) sampled.info('a');
  sampled.warn('b');
  vi.advanceTimersByTime(60_000);
  expect(lines.map(([event]) => event)).toEqual([...Array<string>(10).fill('a'), 'b', 'a.more']);
});
