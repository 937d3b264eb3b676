import { expect, it } from 'vitest';

import { readThreadTimes, toThreadCpu } from './thread-cpu.ts';

it('divides what a process used among its main thread and the others, also those begun in between', () => {
  const before = new Map([
    [7, 1_000_000],
    [8, 5_000_000],
    [9, 1_000],
  ]);
  const after = new Map([
    [7, 3_000_000],
    [8, 5_500_000],
    [10, 250_000],
  ]);
  expect(toThreadCpu(7, before, after)).toEqual({ main: 2000, others: 750 });
});

it('reads the threads of a running process', () => {
  const before = readThreadTimes(process.pid);
  expect([...before.keys()]).toContain(process.pid);
  expect(toThreadCpu(process.pid, new Map(), before).main).toBeGreaterThan(0);
});
