// Processor time of threads. Only the order of magnitude is tested, since the machine may be busy with other things.
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

import { findOwnThread, openThreadClock } from './thread-clock.ts';

function burn(ms: number): void {
  const { user, system } = process.cpuUsage();
  for (;;) {
    const now = process.cpuUsage();
    if (now.user + now.system - user - system > 1000 * ms) return;
  }
}

it('counts what a thread computes, not what others do', async () => {
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { readlinkSync } from 'node:fs';
    parentPort.postMessage(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
    parentPort.once('message', () => undefined);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const thread = await new Promise<number>((resolve) => worker.once('message', resolve));
  const [own, others] = [openThreadClock(findOwnThread()), openThreadClock(thread)];
  const before = [own.readMs(), others.readMs()] as const;
  burn(200);
  expect(own.readMs() - before[0]).toBeGreaterThan(50);
  expect(others.readMs() - before[1]).toBeLessThan(50);
  await worker.terminate();
  expect(others.readMs()).toBeGreaterThanOrEqual(before[1]);
  own.close();
  others.close();
});

it.each([undefined, 0, 999_999_999])('takes the process for thread %s, which is not to be had', (thread) => {
  const clock = openThreadClock(thread);
  const before = clock.readMs();
  burn(20);
  expect(clock.readMs() - before).toBeGreaterThanOrEqual(20);
  clock.close();
});
