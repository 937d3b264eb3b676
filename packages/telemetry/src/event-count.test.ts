import { expect, it, onTestFinished, vi } from 'vitest';

import { createEventCount } from './sampled-log.ts';

it('tells of the first at once and of the others together, once a minute', () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const lines: unknown[] = [];
  const none = (): void => undefined;
  const info = (event: string, fields?: object): void => void lines.push([event, fields]);
  const count = createEventCount({ debug: none, warn: none, error: none, info }, 'mail.discarded');
  const line = (fields: object): unknown => ['mail.discarded', fields];
  for (let i = 0; i < 5; i++) count();
  expect(lines.splice(0)).toEqual([line({ count: 1, total: 1 })]);
  vi.advanceTimersByTime(60_000);
  expect(lines.splice(0)).toEqual([line({ count: 4, total: 5 })]);
  vi.advanceTimersByTime(600_000);
  count();
  expect(lines.splice(0)).toEqual([line({ count: 1, total: 6 })]);
});
